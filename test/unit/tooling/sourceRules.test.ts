import { describe, expect, it } from "vitest";
import { sourceFaults } from "../../../scripts/check/sourceRules.ts";

const messages = (file: string, text: string) => sourceFaults(file, text).map((fault) => fault.message);

describe("the layer table refuses", () => {
  const refused: [what: string, file: string, text: string, message: string][] = [
    ["a layer above", "src/store/a.ts", 'import { lead } from "../team/lead.ts";', "store may not import team"],
    [
      "a type of a layer above",
      "src/base/a.ts",
      'import type { Id } from "../protocol/ids.ts";',
      "base may not import",
    ],
    ["one core layer in another", "src/agent/a.ts", 'import { x } from "../store/x.ts";', "agent may not import store"],
    [
      "the extension in the cli",
      "src/cli/a.ts",
      'import { x } from "../extension/x.ts";',
      "cli may not import extension",
    ],
    ["the cli in the extension", "src/extension/a.ts", 'import { x } from "../cli/x.ts";', "may not import cli"],
    ["a dynamic import", "src/store/a.ts", 'await import("../team/lead.ts");', "store may not import team"],
    ["a computed import", "src/team/a.ts", "await import(name);", "must be a literal"],
    ["an import inside a type", "src/store/a.ts", 'type T = import("../team/x.ts").T;', "store may not import team"],
    ["the tests", "src/team/a.ts", 'import { x } from "../../test/support/x.ts";', "outside src and webview"],
    ["a folder without a row", "src/extras/a.ts", 'import { x } from "../base/x.ts";', "not in the layer table"],
    ["vscode below the extension", "src/team/a.ts", 'import * as vscode from "vscode";', "the package vscode"],
    ["types of vscode below it", "src/cli/a.ts", 'import type { Uri } from "vscode";', "the package vscode"],
    ["node in protocol", "src/protocol/a.ts", 'import { randomUUID } from "node:crypto";', "node built-ins"],
    ["node in the webview", "webview/a.ts", 'import path from "path";', "node built-ins"],
    ["node's globals in base", "src/base/a.ts", "export const home = process.env.HOME;", "node's process"],
    ["node's globals in the webview", "webview/a.ts", 'export const b = Buffer.from("x");', "node's Buffer"],
    [
      "files outside store and tools",
      "src/team/a.ts",
      'import { readFile } from "node:fs/promises";',
      "may import node:fs",
    ],
    ["files in the rest of agent", "src/agent/a.ts", 'import * as fs from "node:fs";', "may import node:fs"],
    ["a package not in the row", "src/store/a.ts", 'import { z } from "yaml";', "store may not use the package yaml"],
    ["a package of another row", "src/permission/a.ts", 'import * as z from "zod";', "may not use the package zod"],
    ["a lazy package at once", "src/agent/a.ts", 'import * as s from "@anthropic-ai/sdk";', "by a dynamic import"],
    [
      "what uses a lazy package at once",
      "src/agent/a.ts",
      'import { createMessages } from "./messagesClient.ts";',
      "src/agent/messagesClient.ts must be loaded by a dynamic import",
    ],
    ["values in the webview", "webview/a.tsx", 'import { x } from "../src/protocol/panel.ts";', "only `import type`"],
    [
      "other layers in the webview",
      "webview/a.tsx",
      'import type { X } from "../src/team/x.ts";',
      "may not import team",
    ],
  ];
  it.each(refused)("%s", (_what, file, text, message) => {
    expect(messages(file, text)).toEqual([expect.stringContaining(message)]);
  });

  it("a layer that is only passed on", () => {
    expect(messages("src/store/a.ts", 'export { x } from "../agent/x.ts";')).toContain("store may not import agent");
  });

  it("any import for side effects, as for values", () => {
    expect(messages("webview/a.ts", 'import "../src/protocol/panel.ts";')).toEqual([
      "webview may only `import type` from protocol",
    ]);
  });
});

describe("the layer table allows", () => {
  const allowed: [what: string, file: string, text: string][] = [
    ["the layers below", "src/team/a.ts", 'import { x } from "../store/x.ts"; import { y } from "../agent/y.ts";'],
    ["the own folder", "src/agent/tools/a.ts", 'import { x } from "../x.ts"; import { y } from "./y.ts";'],
    ["files in store", "src/store/a.ts", 'import { readFile } from "node:fs/promises";'],
    ["files in the tools", "src/agent/tools/a.ts", 'import * as fs from "node:fs/promises";'],
    [
      "hashes in protocol",
      "src/protocol/a.ts",
      'import { sha256 } from "@noble/hashes/sha2.js"; import * as z from "zod";',
    ],
    ["the types of a lazy package", "src/agent/a.ts", 'import type { APIError } from "@anthropic-ai/sdk";'],
    ["a lazy package, lazily", "src/agent/a.ts", 'export const load = () => import("@anthropic-ai/sdk");'],
    ["a lazy package in its own file", "src/agent/messagesClient.ts", 'import { X } from "@anthropic-ai/sdk/client";'],
    ["that file, lazily", "src/agent/a.ts", 'export const load = () => import("./messagesClient.ts");'],
    [
      "types of protocol in the webview",
      "webview/a.tsx",
      'import type { PanelState } from "../src/protocol/panel.ts";',
    ],
    ["vscode in the extension", "src/extension/a.ts", 'import * as vscode from "vscode";'],
  ];
  it.each(allowed)("%s", (_what, file, text) => {
    expect(messages(file, text)).toEqual([]);
  });
});

describe("the source rules refuse", () => {
  const members = Array.from({ length: 16 }, (_, index) => `m${index}() {}`).join("\n");
  const refused: [what: string, file: string, text: string, message: string][] = [
    ["a default export", "src/team/a.ts", "export default 1;", "no default exports"],
    ["a re-export", "src/team/a.ts", 'export * from "./b.ts";', "no re-exports"],
    ["zod by name", "src/team/a.ts", 'import { z } from "zod";', 'import * as z from "zod"'],
    [
      "a blocking file call",
      "src/store/a.ts",
      'import * as fs from "node:fs"; fs.readFileSync("x");',
      "readFileSync blocks",
    ],
    ["a blocking process call", "src/team/a.ts", 'execFileSync("git");', "execFileSync blocks"],
    ["a class with 16 members", "src/team/a.ts", `export class A {\n${members}\n}`, "16 members"],
    ["a retained webview", "src/extension/a.ts", "f({ retainContextWhenHidden: true });", "is never set"],
    ["require in base", "src/base/a.ts", 'const x = require("x");', "node's require"],
    ["an import assignment", "src/team/a.ts", 'import fs = require("node:os");', "no import assignments"],
    ["text that does not parse", "src/team/a.ts", "const = 1;", ""],
  ];
  it.each(refused)("%s", (_what, file, text, message) => {
    expect(messages(file, text)).toEqual([expect.stringContaining(message)]);
  });

  it("with the line of the fault", () => {
    expect(sourceFaults("src/base/a.ts", '\n\nimport "node:fs";\n')).toMatchObject([
      { file: "src/base/a.ts", line: 3 },
    ]);
  });

  it("nothing in a plain module", () => {
    const text = 'import * as z from "zod";\nexport const schema = z.object({});\nexport class A { m() {} }\n';
    expect(messages("src/team/a.ts", text)).toEqual([]);
  });
});
