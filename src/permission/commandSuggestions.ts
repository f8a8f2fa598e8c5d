import type { PermissionSuggestion } from "../protocol/request.ts";
import { programName } from "./commandPatterns.ts";
import { type Field, fieldText } from "./shell/fields.ts";
import { isWrapper } from "./wrappers.ts";

/**
 * Subcommands of which a rule for all their arguments is no wider than its name sounds. Every other command is suggested
 * as it stands.
 */
const SUBCOMMANDS: Readonly<Record<string, string>> = {
  git: "add commit fetch pull stash switch checkout restore merge cherry-pick revert mv",
  npm: "test install ci ls view outdated pack version",
  pnpm: "test install add ls list outdated",
  yarn: "test install add list info outdated",
  bun: "test install add",
  cargo: "build check test clippy fmt doc tree bench add update",
  go: "build test vet fmt mod get list doc",
  docker: "ps logs images inspect build pull stats",
  podman: "ps logs images inspect build pull stats",
  kubectl: "get describe logs top explain",
  gh: "issue pr run repo release search",
  glab: "issue mr ci repo",
  dotnet: "build test restore format",
  flutter: "test analyze build pub",
  dart: "test analyze format pub",
  swift: "build test",
  mix: "test compile format deps",
  pip: "install list show freeze",
  pip3: "install list show freeze",
  poetry: "install add show lock",
  bundle: "install list show",
  gem: "install list",
  brew: "install list info",
  helm: "list status template lint",
  terraform: "plan validate fmt show",
  ruff: "check format",
  biome: "check format lint",
};

/** Programs that run any code: a rule for them would allow everything. */
const RUNS_ANYTHING =
  /^(?:(?:ba|da|z|k|mk|a|fi|c|tc)?sh|python|pypy|node|nodejs|deno|perl|ruby|php|lua|tclsh|osascript|[gmn]?awk|irb|ipython|julia|r|rscript|tsx|ts-node|java|groovy|scala|pwsh|powershell|cmd|eval|source|\.)[\d.]*$/;
const RUNS_PACKAGES = /^(?:npx|bunx|uvx|pipx|pnpx|corepack|nix|nix-shell)$/;
const PACKAGE_MANAGERS = /^(?:npm|pnpm|yarn|bun)$/;
const RUNS_PACKAGES_BY = /^(?:exec|x|dlx|create|init)$/;

const MAX_LENGTH = 200;

/**
 * The rule that would cover this command from now on, or nothing: the exact command, or at most program and subcommand;
 * never for interpreters, package runners, wrappers and texts of several lines, because such a rule says nothing about
 * what will run.
 */
export function commandSuggestions(source: string, fields: readonly Field[]): PermissionSuggestion[] {
  const words = fields.map(fieldText).filter((word) => word !== undefined);
  const [program, second] = words;
  if (program === undefined || words.length < fields.length || /[\n\r]/.test(source)) return [];
  if (runsAnything(programName(program), second)) return [];
  const wide =
    second !== undefined && Object.hasOwn(SUBCOMMANDS, program) && SUBCOMMANDS[program]?.split(" ").includes(second);
  const ruleContent = wide ? `${program} ${second}:*` : words.map(quoted).join(" ");
  if (ruleContent.length > MAX_LENGTH || /[\n\r]/.test(ruleContent)) return [];
  return [{ type: "addRules", rules: [{ toolName: "Bash", ruleContent }], behavior: "allow", destination: "session" }];
}

/** Whether a rule for this program (a name without a path), or for it with this first argument, would allow any code. */
export function runsAnything(name: string, second: string | undefined): boolean {
  if (RUNS_ANYTHING.test(name) || RUNS_PACKAGES.test(name) || isWrapper(name, second)) return true;
  return second !== undefined && PACKAGE_MANAGERS.test(name) && RUNS_PACKAGES_BY.test(second);
}

/** A word as a rule has to write it: quoted where a character would mean something. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) && !word.endsWith(":*") ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
