import type { PermissionSuggestion } from "../protocol/request.ts";
import { programName } from "./commandPatterns.ts";
import { type Field, fieldText } from "./shell/fields.ts";
import { isWrapper } from "./wrappers.ts";

/** Programs whose first word says what they do, so that a rule for it is neither too wide nor too narrow. */
const HAS_SUBCOMMANDS = new Set(
  "git npm yarn pnpm cargo go docker podman kubectl gh glab helm terraform dotnet gradle mvn pip pip3 poetry uv bundle gem rustup brew apt apt-get systemctl journalctl flutter dart swift mix".split(
    " ",
  ),
);

/** Subcommands that run what their further words name: only the whole command may become a rule. */
const RUNS_MORE = new Set(
  "run run-script exec x dlx test-exec start call compose c foreach bisect rebase submodule".split(" "),
);

/** Programs that run any code: a rule for them would allow everything. */
const RUNS_ANYTHING =
  /^(?:ba|da|z|k|mk|a|fi|c|tc)?sh$|^(?:python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|tclsh|osascript|awk|gawk|mawk|nawk|irb|ipython|julia|r|rscript|tsx|ts-node|java|groovy|scala|pwsh|powershell|cmd|eval|source|\.)[\d.]*$/;
const RUNS_PACKAGES = /^(?:npx|bunx|uvx|pipx|pnpx|corepack|dlx|nix|nix-shell)$/;
const RUNS_PACKAGES_BY = new Set(["exec", "x", "dlx", "create", "init"]);

const MAX_LENGTH = 200;

/**
 * The rule that would cover this command from now on, or nothing: the exact command, or at most program and subcommand;
 * never for interpreters, package runners, wrappers and texts of several lines, because such a rule says nothing about
 * what will run.
 */
export function commandSuggestions(source: string, fields: readonly Field[]): PermissionSuggestion[] {
  const words = fields.map(fieldText);
  const [program, second] = words;
  if (program === undefined || words.includes(undefined) || /[\n\r]/.test(source) || source.length > MAX_LENGTH)
    return [];
  const name = programName(program);
  if (RUNS_ANYTHING.test(name) || RUNS_PACKAGES.test(name) || isWrapper(name)) return [];
  if (second !== undefined && HAS_SUBCOMMANDS.has(name) && RUNS_PACKAGES_BY.has(second)) return [];
  const prefix =
    HAS_SUBCOMMANDS.has(name) && second !== undefined && /^[a-z][a-z-]*$/.test(second) && !RUNS_MORE.has(second);
  const ruleContent = prefix ? `${program} ${second}:*` : source.trim();
  return /[*()]|:\*$/.test(prefix ? second : ruleContent) ? [] : [addRule(ruleContent)];
}

function addRule(ruleContent: string): PermissionSuggestion {
  return { type: "addRules", rules: [{ toolName: "Bash", ruleContent }], behavior: "allow", destination: "session" };
}
