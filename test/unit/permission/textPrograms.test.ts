import { describe, expect, it } from "vitest";
import { awkRunsOrWrites, jqOnlyPrints, sedRunsOrWrites } from "../../../src/permission/readOnly/textPrograms.ts";

describe("programs in small languages", () => {
  it("of sed only print, or write, or run", () => {
    for (const script of [
      "p",
      "$p",
      "1,5p",
      "/a/,/b/d",
      "s/a/b/",
      "s|a|b|g2p",
      "s/[/]/",
      "y/ab/ba/",
      "/w/d",
      "1!G;h;$!d",
      "a\\\ntext",
      ":a;N;$!ba;s/\\n/ /g",
      "\\,x,d",
      "0~3d",
      "5q",
      "/x/{p;d}",
      "# w x",
    ])
      expect(sedRunsOrWrites(script), script).not.toMatch(/runs|writes/);
    for (const script of ["w x", "1w x", "s/a/b/w x", "s/a/b/gw x", "$!w x", "/a/W x"])
      expect(sedRunsOrWrites(script), script).toBe("writes");
    for (const script of ["e", "1e ls", "s/a/b/e", "s/a/ls/ge", "/x/e"])
      expect(sedRunsOrWrites(script), script).toBe("runs");
    for (const script of ["s/;e/x/", "s/a/b", "r /etc/passwd", "R x", "F", "s/a/b/x", "p;e ls", "{p;w x\n}"])
      expect(sedRunsOrWrites(script), script).not.toBe("prints");
  });

  it("of awk only print, or do more", () => {
    for (const program of [
      "{print $1}",
      "NR>5",
      "/a|b/ {print}",
      "$1 > 3 {print $2}",
      "{ if ($3 > 1) print }",
      "{s += $1} END {print s/NR}",
      "!seen[$0]++",
      "{print length($0) / 2}",
      'BEGIN {print "a > b | c"}',
      "{ # system(x)\n print }",
      "($1 + $2) / 2 > 5 {print}",
      "END {print s / NR, (s + 1) / 2 / 3}",
    ])
      expect(awkRunsOrWrites(program), program).toBe("prints");
    for (const program of [
      '{print > "f"}',
      '{print >> "f"}',
      'BEGIN{system("x")}',
      '{print | "sh"}',
      '{"x" | getline}',
      '{getline < "f"}',
      '@load "x"',
      'BEGIN{print ENVIRON["X"]}',
      'BEGIN{ARGV[1]="x"}',
      '{printf("%s", $1) > "f"}',
      '{print "',
      'BEGIN { a = 1 / 2; system("x") }',
      '{ x = "a" / 2; print | "y" / 3 }',
      'BEGIN { if (0); else /"/; system("x"); y = /"/ }',
      'BEGIN { if (1) /"/; system("x"); y = /"/ }',
      'BEGIN { do /"/; while (0); system("x"); y = /"/ }',
      'BEGIN { if (1) /="/; system("x"); y = /"/ }',
      '/[/"]/ { getline < "f" } /"/',
    ])
      expect(awkRunsOrWrites(program), program).not.toBe("prints");
  });

  it("of jq see the environment only when asked", () => {
    for (const filter of [
      ".",
      ".env",
      ".a.env[0]",
      '"env"',
      ".[] | .name",
      '"\\(.a)"',
      'select(.a == "(") | "\\(.b | f(1)) (env)"',
      ". # env",
    ])
      expect(jqOnlyPrints(filter), filter).toBe(true);
    for (const filter of [
      "env",
      "$ENV",
      "env.X",
      ".a | env",
      '"\\(env)"',
      'import "x" as x; .',
      "$ENV.PATH",
      "[env]",
      '"(", env, ")"',
      '"\\("a" + (env | tostring))"',
      '# "\n env # "',
      ". # a \\\n env",
      '"',
    ])
      expect(jqOnlyPrints(filter), filter).toBe(false);
  });
});
