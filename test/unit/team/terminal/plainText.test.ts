import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, plainText } from "../../../../src/team/terminal/plainText.ts";

describe("text for a terminal", () => {
  it("is cut to a width without splitting what is seen as one character", () => {
    expect(cut("abcdef", 6)).toBe("abcdef");
    expect(cut("abcdef", 4)).toBe("abc…");
    expect(cut("研究员们", 6)).toBe("研究…");
    expect(cut("👩‍💻👩‍💻", 3)).toBe("👩‍💻…");
    expect(cut("abc", 0)).toBe("");
  });

  it("holds no control characters but new lines and tabs", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(plainText(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      }),
    );
  });
});
