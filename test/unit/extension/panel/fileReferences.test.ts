import { describe, expect, it } from "vitest";
import {
  bestFiles,
  excludeGlob,
  fileGlob,
  quotedSelection,
  reference,
} from "../../../../src/extension/panel/fileReferences.ts";

describe("files for what was typed behind @", () => {
  it("are looked for anywhere in the path, in small and capital letters, and what means something in globs is harmless", () => {
    expect(fileGlob("aB")).toBe("{**/*[aA][bB]*,**/*[aA][bB]*/**}");
    expect(fileGlob("s/a")).toBe("{**/*[sS]*/*[aA]*,**/*[sS]*/*[aA]*/**}");
    expect(fileGlob("[a]{,}*")).toBe("{**/*?[aA]?????*,**/*?[aA]?????*/**}");
    expect(fileGlob("重试.1")).toBe("{**/*重试.1*,**/*重试.1*/**}");
  });

  it("are told best first: names that begin so, names that hold it, the rest; short before long; twelve", () => {
    const paths = ["src/retry/index.ts", "test/do-retry.ts", "src/client/Retry.ts", "retry.md", "retry.md"];
    expect(bestFiles(paths, "retry")).toEqual([
      "retry.md",
      "src/client/Retry.ts",
      "test/do-retry.ts",
      "src/retry/index.ts",
    ]);
    expect(
      bestFiles(
        Array.from({ length: 40 }, (_, at) => `a${at}.ts`),
        "a",
      ),
    ).toHaveLength(12);
  });

  it("are not looked for in packages, nor where the person's settings leave out: conditions are not looked at", () => {
    expect(excludeGlob({ "**/out": true, "**/kept": false }, { "**/*.js": { when: "$(basename).ts" } })).toBe(
      "{**/node_modules,**/.git,**/out}",
    );
    expect(excludeGlob({ "**/node_modules": true }, {})).toBe("{**/node_modules,**/.git}");
  });
});

describe("a reference", () => {
  it("names the file and its lines", () => {
    expect(reference("src/a.ts", null)).toBe("@src/a.ts");
    expect(reference("src/a.ts", { first: 3, last: 3 })).toBe("@src/a.ts:3");
    expect(reference("my notes/a.md", { first: 3, last: 9 })).toBe('@"my notes/a.md":3-9');
  });

  it("to what is not on disk is the text itself, in a fence that the text cannot close, up to a bound", () => {
    expect(quotedSelection("@a.md:1-2", "markdown", "```js\n1\n```\n")).toBe(
      "@a.md:1-2:\n````markdown\n```js\n1\n```\n````\n",
    );
    expect(quotedSelection("Untitled-1", "plaintext", "x".repeat(30_000)).length).toBeLessThan(20_100);
  });
});
