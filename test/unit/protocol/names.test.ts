import { describe, expect, it } from "vitest";
import { isMusterError } from "../../../src/base/errors.ts";
import { acceptMemberName, acceptTeamName, freeName, inboxFileName } from "../../../src/protocol/names.ts";

function refusal(accept: () => unknown): string {
  try {
    accept();
  } catch (error) {
    if (isMusterError(error, "bad_name")) return error.message;
    throw error;
  }
  throw new Error("accepted");
}

describe("member names", () => {
  it("keeps a name that is its own file name", () => {
    for (const name of ["alice", "Captain", "a_b-9", "0day", "x".repeat(64)]) {
      expect(acceptMemberName(name)).toEqual({ name });
    }
  });

  it("gives every other name a slug of its own and keeps what was typed", () => {
    const typed = ["研究员", "工程师", "Ann Lee", "José"];
    const accepted = typed.map((name) => acceptMemberName(name));
    expect(accepted.map(({ displayName }) => displayName)).toEqual(typed);
    expect(accepted[2]?.name).toMatch(/^Ann-Lee-[0-9a-f]{6}$/);
    expect(accepted[0]?.name).toMatch(/^m-[0-9a-f]{6}$/);
    expect(new Set([...accepted.map(({ name }) => name), "ann-lee", "Captain"]).size).toBe(6);
  });

  it("takes forms that NFKC makes equal as one name", () => {
    expect(acceptMemberName("ｂｏｂ")).toEqual({ name: "bob" });
    expect(acceptMemberName("Jose\u0301").name).toBe(acceptMemberName("Jos\u00e9").name);
  });

  it.each([
    ["", "begins with"],
    [".", "begins with"],
    ["../../x", "begins with"],
    ["a/b", "letters"],
    ["C:\\x", "letters"],
    ["a\0b", "letters"],
    ["a\nb", "letters"],
    ["-rf", "begins with"],
    ["x".repeat(300), "longer than 64"],
    ["team-lead", "reserved"],
    ["Team-Lead", "reserved"],
    ["user", "reserved"],
    ["SYSTEM", "reserved"],
    ["default", "reserved"],
    ["con", "Windows"],
    ["LPT1", "Windows"],
    ["bob ", "blank"],
    ["a\u200bb", "letters"],
  ])("refuses %j with a sentence", (name, why) => {
    expect(refusal(() => acceptMemberName(name))).toContain(why);
  });

  it("gives a name in use the next number, on the folded form", () => {
    expect(freeName("alice", [])).toBe("alice");
    expect(freeName("alice", ["Alice"])).toBe("alice-2");
    expect(freeName("alice", ["alice", "ALICE-2"])).toBe("alice-3");
    expect(freeName("x".repeat(64), ["x".repeat(64)])).toHaveLength(64);
  });
});

describe("team names", () => {
  it("keeps lower-case folder names and gives all others a slug in lower case", () => {
    expect(acceptTeamName("checkout-retry")).toEqual({ name: "checkout-retry" });
    expect(acceptTeamName("My Team").name).toMatch(/^my-team-[0-9a-f]{6}$/);
    expect(acceptTeamName("my_team").name).toMatch(/^my-team-[0-9a-f]{6}$/);
  });
});

describe("files of foreign names", () => {
  it("are found as 2.1.41 writes them", () => {
    expect(inboxFileName("al ice/../x")).toBe("al-ice----x");
    expect(inboxFileName("Odd Name-1/é_x")).toBe("Odd-Name-1--_x");
    expect(inboxFileName("alice")).toBe("alice");
  });
});
