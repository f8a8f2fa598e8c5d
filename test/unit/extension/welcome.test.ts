import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const manifest = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
const welcomes: { view: string; contents: string; when: string }[] = manifest.contributes.viewsWelcome;

type Keys = Readonly<Record<string, boolean | number>>;

/** Whether a when-clause holds: terms joined by `&&`, each a key, its opposite, or its comparison with a number. */
function holds(when: string, keys: Keys): boolean {
  return when.split(" && ").every((term) => {
    const [, not, key = "", operator, number] = /^(!?)([\w.]+)(?: (==|!=) (\d+))?$/.exec(term) ?? [];
    expect(keys, `${term} of ${when}`).toHaveProperty([key]);
    if (operator === undefined) return Boolean(keys[key]) !== (not === "!");
    return (keys[key] === Number(number)) === (operator === "==");
  });
}

const BOTH = [false, true];
const STATES: Keys[] = BOTH.flatMap((isWorkspaceTrusted) =>
  [0, 1].flatMap((workspaceFolderCount) =>
    BOTH.flatMap((hasKey) =>
      BOTH.flatMap((hasTeam) =>
        BOTH.map((looked) => ({
          ...{ isWorkspaceTrusted, workspaceFolderCount },
          ...{ "muster.hasKey": hasKey, "muster.hasTeam": hasTeam, "muster.looked": looked },
        })),
      ),
    ),
  ),
);

const shown = (keys: Keys) => welcomes.filter(({ when }) => holds(when, keys)).map(({ contents }) => contents);

describe("the empty tree of members", () => {
  it("says one thing in every state", () => {
    expect(new Set(welcomes.map(({ view }) => view))).toEqual(new Set(["muster.members"]));
    for (const keys of STATES.filter((state) => state["muster.looked"])) expect(shown(keys)).toHaveLength(1);
  });

  it("of a team on show says nothing of keys, folders and trust, whatever they are", () => {
    for (const keys of STATES.filter((state) => state["muster.hasTeam"]))
      expect(shown(keys)).toEqual(["%welcome.finished%"]);
  });

  it("says nothing before it is known whether there is a key and a team", () => {
    const before = STATES.filter((state) => !state["muster.looked"] && !state["muster.hasTeam"]);
    for (const keys of before) expect(shown(keys)).toEqual([]);
  });

  it("names what is missing", () => {
    const ready = {
      ...{ isWorkspaceTrusted: true, workspaceFolderCount: 1 },
      "muster.looked": true,
      "muster.hasTeam": false,
    };
    expect(shown({ ...ready, "muster.hasKey": false })).toEqual(["%welcome.noKey%"]);
    expect(shown({ ...ready, "muster.hasKey": true })).toEqual(["%welcome.noTeam%"]);
    expect(shown({ ...ready, "muster.hasKey": true, workspaceFolderCount: 0 })).toEqual(["%welcome.noFolder%"]);
    expect(shown({ ...ready, "muster.hasKey": true, isWorkspaceTrusted: false })).toEqual(["%welcome.untrusted%"]);
  });
});
