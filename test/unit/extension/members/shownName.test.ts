import { expect, it } from "vitest";
import { documentName, shownName } from "../../../../src/extension/members/shownName.ts";
import { peopleOf } from "../../../../src/team/views/people.ts";

it("a member is called as people know it, also in the name of a document; who is not known, by the given name", () => {
  const people = peopleOf([{ name: "m-1a2b3c", displayName: "前端/研究员", color: "blue" }]);
  const teams = { current: { people } };
  expect(shownName({ teams }, "m-1a2b3c")).toBe("前端/研究员");
  expect(shownName({ teams }, "gone")).toBe("gone");
  expect(shownName({ teams: { current: null } }, "m-1a2b3c")).toBe("m-1a2b3c");
  expect(documentName(shownName({ teams }, "m-1a2b3c"))).toBe("前端-研究员");
});
