import * as esbuild from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { bundles } from "../../../scripts/build/bundles.ts";

describe("what the API's client brings along", () => {
  let inputs: string[];
  beforeAll(async () => {
    const { cli } = bundles(false);
    const { metafile } = await esbuild.build({ ...cli, write: false, metafile: true });
    inputs = Object.values(metafile.outputs).flatMap((output) =>
      Object.entries(output.inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    );
  });

  it("is the Messages API alone", () => {
    const parts = inputs.filter((file) => file.includes("@anthropic-ai/sdk/resources/"));
    expect(parts.map((file) => file.replace(/^.*sdk\/resources\//, "")).sort()).toEqual([
      "messages/batches.mjs",
      "messages/messages.mjs",
    ]);
  });
});
