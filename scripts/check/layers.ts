import { isBuiltin } from "node:module";
import path from "node:path";

/** What one layer may import; see the table in docs/architecture.md, which this repeats for the machine. */
interface Layer {
  /** Folders of the project, beside its own. */
  folders: readonly string[];
  builtins: boolean;
  /** Packages, by name. */
  packages?: readonly string[];
  /**
   * Packages of which only the named file (its path from the root) may use values as it likes; of both, others use
   * types, or the module by a dynamic import.
   */
  lazy?: Readonly<Record<string, string>>;
  /** Folders of which only types may be imported. */
  types?: readonly string[];
}

const CORE = ["base", "protocol", "store", "agent", "permission", "team", "demo"] as const;

/** Layer (folder) → what it may import. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  base: { folders: [], builtins: false },
  protocol: { folders: ["base"], builtins: false, packages: ["zod", "@noble/hashes"] },
  store: {
    folders: ["base", "protocol"],
    builtins: true,
    packages: ["proper-lockfile", "chokidar", "zod"],
  },
  agent: {
    folders: ["base", "protocol"],
    builtins: true,
    packages: ["zod", "tinyglobby", "ignore", "html-to-text", "htmlparser2"],
    lazy: { "@anthropic-ai/sdk": "src/agent/messagesClient.ts" },
  },
  permission: {
    folders: ["base", "protocol"],
    builtins: true,
    packages: ["unbash"],
  },
  team: {
    folders: ["base", "protocol", "store", "agent", "permission"],
    builtins: true,
    packages: ["zod", "diff", "marked", "fast-string-width", "fast-wrap-ansi"],
  },
  demo: { folders: ["base", "protocol"], builtins: true },
  cli: {
    folders: CORE,
    builtins: true,
    packages: ["zod"],
  },
  extension: {
    folders: CORE,
    builtins: true,
    packages: ["vscode", "zod"],
  },
  webview: {
    folders: [],
    builtins: false,
    packages: [
      "preact",
      "@preact/signals",
      "@vscode-elements/elements",
      "marked",
      "dompurify",
      "lowlight",
      "@dagrejs/dagre",
    ],
    types: ["protocol"],
  },
};

/** Folders that may touch the file system, as paths from the project's root. */
const FILE_SYSTEM_FOLDERS = ["src/store/", "src/agent/tools/"];

/** One import of a file. `dynamic` is `import("…")`; `specifier` is undefined where it is not a literal. */
export interface ImportFact {
  specifier: string | undefined;
  line: number;
  typeOnly: boolean;
  dynamic: boolean;
}

/** The layer that a path from the project's root belongs to: `src/team/lead/lead.ts` → `team`; undefined outside. */
export function layerOf(file: string): string | undefined {
  if (file.startsWith("webview/")) return "webview";
  return /^src\/([^/]+)/.exec(file)?.[1];
}

/** Says why `file` (path from the root, with `/`) may not have this import; undefined when it may. */
export function importFault(file: string, fact: ImportFact): string | undefined {
  const layer = layerOf(file);
  if (layer === undefined) return undefined;
  const rule = LAYERS[layer];
  if (!rule) return `the folder src/${layer} is not in the layer table`;
  if (fact.specifier === undefined) return "the path of an import must be a literal";
  if (fact.specifier.startsWith(".")) return folderFault(file, layer, rule, fact);
  if (isBuiltin(fact.specifier)) return builtinFault(file, layer, rule, fact.specifier);
  return packageFault(file, layer, rule, fact);
}

/** Files that use a lazy package, and so are lazy themselves. */
const LAZY_FILES: readonly string[] = Object.values(LAYERS).flatMap(({ lazy = {} }) => Object.values(lazy));

function folderFault(
  file: string,
  layer: string,
  rule: Layer,
  { specifier = "", typeOnly, dynamic }: ImportFact,
): string | undefined {
  const target = path.posix.join(path.posix.dirname(file), specifier);
  if (LAZY_FILES.includes(target) && !typeOnly && !dynamic) return `${target} must be loaded by a dynamic import`;
  const targetLayer = layerOf(target);
  if (targetLayer === undefined) return `${layer} may not import ${target}, which is outside src and webview`;
  if (targetLayer === layer || rule.folders.includes(targetLayer)) return undefined;
  if (!rule.types?.includes(targetLayer)) return `${layer} may not import ${targetLayer}`;
  return typeOnly ? undefined : `${layer} may only \`import type\` from ${targetLayer}`;
}

function builtinFault(file: string, layer: string, rule: Layer, specifier: string) {
  if (!rule.builtins) return `${layer} may not use node built-ins (${specifier})`;
  const fileSystem = /^(node:)?fs(\/promises)?$/.test(specifier);
  if (fileSystem && !FILE_SYSTEM_FOLDERS.some((folder) => file.startsWith(folder)))
    return `only ${FILE_SYSTEM_FOLDERS.join(" and ")} may import ${specifier}`;
  return undefined;
}

function packageFault(file: string, layer: string, rule: Layer, { specifier = "", typeOnly, dynamic }: ImportFact) {
  const name = packageName(specifier);
  if (rule.packages?.includes(name)) return undefined;
  const user = rule.lazy?.[name];
  if (user === undefined) return `${layer} may not use the package ${name}`;
  return typeOnly || dynamic || file === user ? undefined : `${layer} must load ${name} by a dynamic import`;
}

function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}
