import { expect, it } from "vitest";
import { codePointName, hiddenCharacters, writtenInLine } from "../../../src/base/hiddenCharacters.ts";

const names = (text: string) => hiddenCharacters(text).map(codePointName);

it("what nobody sees in a text is found, in order", () => {
  expect(names("a\u200Bb\u202Ec\u00A0d\u0007")).toEqual(["U+200B", "U+202E", "U+00A0", "U+0007"]);
  expect(names("\uE000 \uD800 \u2028 \u2800 \u{E0041}")).toEqual(["U+E000", "U+D800", "U+2028", "U+2800", "U+E0041"]);
});

it("what is seen is not: new lines, tabs, other scripts, emoji with their marks and joiners", () => {
  expect(names("npm test\n\techo ok 研究员 Ünï 👩‍💻 👍🏽 ❤️ 1️⃣")).toEqual([]);
});

it("marks and joiners that only pretend to be part of an emoji are found", () => {
  expect(names("rm\u200D -rf\uFE0F")).toEqual(["U+200D", "U+FE0F"]);
  expect(names("👩\u200D x1\uFE0F")).toEqual(["U+200D", "U+FE0F"]);
});

it("a text that forges lines is written in one, with all that nobody sees", () => {
  expect(writtenInLine("a\n\nThese stay:\tb\r\u2028c\u202Ed")).toBe(
    "a⟨U+000A⟩⟨U+000A⟩These stay:⟨U+0009⟩b⟨U+000D⟩⟨U+2028⟩c⟨U+202E⟩d",
  );
  expect(writtenInLine("研究员 ❤️ a b.ts")).toBe("研究员 ❤️ a b.ts");
});
