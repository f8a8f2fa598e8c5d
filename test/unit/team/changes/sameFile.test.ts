import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { changesBench } from "../../../support/changesBench.ts";

describe("two members change one file", () => {
  it.each(["Edit", "Write"] as const)(
    "at once with %s: the second is told of the conflict, and nothing is lost (row 83)",
    async (tool) => {
      await using bench = await changesBench({ "MEMORY.md": "# Notes\n" }, { repository: false });
      const members = ["ann", "bob"].map((name) => ({ name, call: bench.member(name) }));
      for (const { call } of members) await call("Read", { file_path: "MEMORY.md" });
      const add = ({ name, call }: (typeof members)[number]) =>
        tool === "Edit"
          ? call("Edit", { file_path: "MEMORY.md", old_string: "# Notes\n", new_string: `# Notes\n- ${name}\n` })
          : call("Write", { file_path: "MEMORY.md", content: `# Notes\n- ${name}\n` });
      const answers = await Promise.all(members.map(add));
      const refused = answers.findIndex((answer) => answer.startsWith("error: "));
      expect(answers.filter((answer) => answer.startsWith("error: "))).toEqual([
        "error: MEMORY.md has been changed since you read it. Read it again, then make your change anew.",
      ]);
      const again = members[refused];
      if (!again) throw new Error("Nobody was refused.");
      await again.call("Read", { file_path: "MEMORY.md" });
      await again.call("Edit", {
        file_path: "MEMORY.md",
        old_string: "# Notes\n",
        new_string: `# Notes\n- ${again.name}\n`,
      });
      const lines = (await readFile(path.join(bench.cwd, "MEMORY.md"), "utf8")).trim().split("\n");
      expect(lines.sort()).toEqual(["# Notes", "- ann", "- bob"]);
      const changes = (await bench.records()).filter(({ kind }) => kind === "change");
      expect(changes).toHaveLength(2);
    },
  );
});
