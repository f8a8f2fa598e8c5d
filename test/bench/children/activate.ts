import { createRequire, registerHooks } from "node:module";

/**
 * A process that loads the built extension (the file that its argument names) beside a stand-in for VS Code's API that
 * does nothing, calls `activate`, and prints the ms that both took together.
 */
const nothing: unknown = new Proxy(class {}, {
  get: (target, key) => {
    if (key === "prototype") return target.prototype;
    return key === "then" || typeof key === "symbol" ? undefined : nothing;
  },
  set: () => true,
  apply: () => nothing,
  construct: () => nothing as object,
});
const names = ["commands", "env", "extensions", "l10n", "languages", "window", "workspace"];
const types = ["Disposable", "EventEmitter", "MarkdownString", "ThemeColor", "ThemeIcon", "TreeItem", "Uri"];
const enums = ["StatusBarAlignment", "TreeItemCollapsibleState", "ViewColumn"];
// a bundle copies the module's own properties
const vscodeStandIn = Object.fromEntries([...names, ...types, ...enums].map((name) => [name, nothing]));
Object.assign(globalThis, { vscodeStandIn });
const url = "stand-in:vscode";
registerHooks({
  resolve: (name, context, next) =>
    name === "vscode" ? { url, format: "commonjs", shortCircuit: true } : next(name, context),
  load: (address, context, next) =>
    address === url
      ? { format: "commonjs", source: "module.exports = globalThis.vscodeStandIn", shortCircuit: true }
      : next(address, context),
});

interface Extension {
  activate(context: object): void;
}

const file = process.argv[2] ?? "";
const require = createRequire(import.meta.url);
const memento = { get: () => undefined, update: async () => {} };
const secrets = { get: async () => undefined, onDidChange: () => ({ dispose: () => {} }) };
const begun = performance.now();
const extension: Extension = require(file);
extension.activate({
  subscriptions: [],
  secrets,
  workspaceState: memento,
  globalState: memento,
  extensionUri: nothing,
});
process.stdout.write(`${performance.now() - begun}\n`);
process.exit();
