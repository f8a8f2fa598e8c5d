import { describe, expect, it } from "vitest";
import * as z from "zod";
import { toolDefinition } from "../../../src/agent/toolDefinition.ts";
import { createFileTools } from "../../../src/agent/tools/fileTools.ts";
import { echoTool } from "../../support/agentRun.ts";

describe("toolDefinition", () => {
  it("describes what the model writes: before defaults and transformations", () => {
    const inputSchema = z.strictObject({ text: z.string().describe("Words."), times: z.int().min(1).default(1) });
    expect(toolDefinition({ ...echoTool(), inputSchema, run: async () => ({ content: "" }) })).toMatchObject({
      name: "Echo",
      description: "Gives the text back.",
      input_schema: {
        type: "object",
        properties: { text: { type: "string", description: "Words." }, times: { type: "integer", minimum: 1 } },
        required: ["text"],
        additionalProperties: false,
      },
    });
  });

  it("gives the file tools the field names that models know", () => {
    const fields = createFileTools({ cwd: "/", env: {} })
      .map(toolDefinition)
      .map(({ name, input_schema }) => [name, Object.keys(input_schema["properties"] as object).join(" ")]);
    expect(Object.fromEntries(fields)).toEqual({
      Read: "file_path offset limit",
      Write: "file_path content",
      Edit: "file_path old_string new_string replace_all",
      Glob: "pattern path",
      Grep: "pattern path glob output_mode -i -n -A -B -C head_limit multiline",
      Bash: "command timeout description",
    });
  });
});
