import { type EcmaScriptModule, parseSync, type StaticImport, Visitor } from "oxc-parser";
import { type ImportFact, importFault, layerOf } from "./layers.ts";

/** One broken rule; `line` counts from 1. */
export interface Fault {
  file: string;
  line: number;
  message: string;
}

const MEMBERS_OF_A_CLASS = 15;

/** Layers that run without Node: its globals are as forbidden there as its modules. */
const LAYERS_WITHOUT_NODE = new Set(["base", "protocol", "webview"]);
const NODE_GLOBALS = new Set(["process", "Buffer", "require", "__dirname", "__filename"]);

/** The project's own rules for one file of src or webview; `file` is its path from the root, with `/`. */
export function sourceFaults(file: string, text: string): Fault[] {
  const { program, module, errors } = parseSync(file, text);
  const at = (offset: number, message: string): Fault => ({ file, line: lineOf(text, offset), message });
  const firstError = errors[0];
  if (firstError) return [at(firstError.labels[0]?.start ?? 0, firstError.message)];

  const faults = moduleFaults(module, at);
  for (const fact of importFacts(module, text)) {
    const message = importFault(file, fact);
    if (message) faults.push({ file, line: fact.line, message });
  }
  const withoutNode = LAYERS_WITHOUT_NODE.has(layerOf(file) ?? "");
  new Visitor({
    CallExpression(node) {
      const name = calledName(node.callee);
      if (name?.endsWith("Sync")) faults.push(at(node.start, `${name} blocks the thread: use the asynchronous call`));
      if (withoutNode && name === "require") faults.push(at(node.start, "node's require is not there in this layer"));
    },
    MemberExpression(node) {
      if (withoutNode && node.object.type === "Identifier" && NODE_GLOBALS.has(node.object.name))
        faults.push(at(node.start, `node's ${node.object.name} is not there in this layer`));
    },
    TSImportType(node) {
      const fact = { specifier: node.source.value, line: lineOf(text, node.start), typeOnly: true, dynamic: false };
      const message = importFault(file, fact);
      if (message) faults.push(at(node.start, message));
    },
    TSImportEqualsDeclaration(node) {
      faults.push(at(node.start, "no import assignments: write an import statement"));
    },
    ClassBody(node) {
      if (node.body.length > MEMBERS_OF_A_CLASS)
        faults.push(at(node.start, `the class has ${node.body.length} members; ${MEMBERS_OF_A_CLASS} are the limit`));
    },
    Property(node) {
      if (node.key.type === "Identifier" && node.key.name === "retainContextWhenHidden")
        faults.push(at(node.start, "retainContextWhenHidden is never set: keep state with setState"));
    },
  }).visit(program);
  return faults.sort((a, b) => a.line - b.line);
}

/** Default exports, re-exports, and zod imported by name, which costs five times the bundle. */
function moduleFaults(module: EcmaScriptModule, at: (offset: number, message: string) => Fault): Fault[] {
  const faults: Fault[] = [];
  for (const { start, entries } of module.staticExports) {
    if (entries.some((entry) => entry.exportName.kind === "Default")) faults.push(at(start, "no default exports"));
    if (entries.some((entry) => entry.moduleRequest)) faults.push(at(start, "no re-exports: import from the source"));
  }
  for (const { start, moduleRequest, entries } of module.staticImports) {
    const named = entries.some((entry) => !entry.isType && entry.importName.kind !== "NamespaceObject");
    if (/^zod(\/|$)/.test(moduleRequest.value) && named) faults.push(at(start, 'write `import * as z from "zod"`'));
  }
  return faults;
}

function importFacts(module: EcmaScriptModule, text: string): ImportFact[] {
  const fromExports = module.staticExports.flatMap(({ start, entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? [{ specifier: moduleRequest.value, line: lineOf(text, start), typeOnly: isType }] : [],
    ),
  );
  const fromImports = module.staticImports.map((found) => ({
    specifier: found.moduleRequest.value,
    line: lineOf(text, found.start),
    typeOnly: isTypeOnly(found),
  }));
  const dynamic = module.dynamicImports.map(({ start, moduleRequest }) => ({
    specifier: /^(["'`])([^$]*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2],
    line: lineOf(text, start),
    typeOnly: false,
    dynamic: true,
  }));
  return [...[...fromExports, ...fromImports].map((fact) => ({ ...fact, dynamic: false })), ...dynamic];
}

/** An import for side effects has no entries and does load the module. */
function isTypeOnly({ entries }: StaticImport): boolean {
  return entries.length > 0 && entries.every((entry) => entry.isType);
}

function calledName(callee: { type: string; name?: unknown; property?: unknown }): string | undefined {
  if (callee.type === "Identifier" && typeof callee.name === "string") return callee.name;
  const property = callee.property as { type?: string; name?: unknown } | undefined;
  return property?.type === "Identifier" && typeof property.name === "string" ? property.name : undefined;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
