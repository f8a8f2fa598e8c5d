import { type CodeArguments, hiddenCode, joinedScript, NO_CODE } from "./codeFound.ts";
import { givesOption, type RunningOptions } from "./programOptions.ts";
import { type Field, fieldStart, fieldText } from "./shell/fields.ts";

const GIT_VALUED = new Set(["-C", "--git-dir", "--work-tree", "--namespace", "--super-prefix"]);
const GIT_CONFIGURES = /^(?:-c|--config-env|--exec-path|--git-dir|--work-tree|--attr-source)/;

const FETCHES: RunningOptions = { long: "upload-pack exec" };
const SHOWS: RunningOptions = { long: "ext-diff textconv" };

/** Options of subcommands that run programs; those of any other one are `OTHERS`. */
const SUBCOMMANDS: Readonly<Record<string, RunningOptions>> = {
  clone: { long: "upload-pack config template", short: "uc" },
  init: { long: "template" },
  fetch: FETCHES,
  pull: FETCHES,
  "ls-remote": FETCHES,
  "fetch-pack": FETCHES,
  push: { long: "receive-pack exec" },
  "send-pack": { long: "receive-pack exec" },
  archive: { long: "exec" },
  rebase: { long: "exec", short: "x" },
  grep: { long: "open-files-in-pager textconv", short: "O" },
  difftool: { long: "extcmd", short: "x" },
  mergetool: { short: "x" },
  "send-email": { long: "sendmail-cmd smtp-server to-cmd cc-cmd header-cmd", harmless: "to cc" },
  instaweb: { long: "httpd browser", short: "db" },
  "cat-file": { long: "textconv filters" },
  diff: SHOWS,
  log: SHOWS,
  show: SHOWS,
  "format-patch": SHOWS,
};
const OTHERS: RunningOptions = { long: "upload-pack receive-pack exec extcmd ext-diff textconv", exact: true };
const REMOTE_HELPER = /(?:^|=)ext::/;

/** Configuration on the command line, another repository, and options that run programs turn git into an interpreter. */
export function gitCode(args: readonly Field[]): CodeArguments {
  const texts = args.map((field) => fieldText(field) ?? fieldStart(field));
  let at = 0;
  while (at < texts.length && texts[at]?.startsWith("-")) {
    if (GIT_CONFIGURES.test(texts[at] ?? ""))
      return hiddenCode("It gives git another configuration or repository.", at + 3);
    at += GIT_VALUED.has(texts[at] ?? "") ? 2 : 1;
  }
  const [sub = "", verb, ...rest] = texts.slice(at);
  const options = [verb ?? "", ...rest];
  if (sub === "bisect" && verb === "run") return { ...NO_CODE, commands: [args.slice(at + 2)] };
  if (sub === "submodule" && options.includes("foreach"))
    return eachSubmodule(args.slice(texts.indexOf("foreach") + 1));
  if (sub === "config") return aliasCode(options);
  if (sub === "filter-branch") return hiddenCode("It runs code on every commit.");
  if (isMessage(sub)) return NO_CODE;
  const known = Object.hasOwn(SUBCOMMANDS, sub) ? SUBCOMMANDS[sub] : undefined;
  const runs = givesOption(args.slice(at + 1), known ?? OTHERS) || options.some((text) => REMOTE_HELPER.test(text));
  return runs ? hiddenCode("One of its options runs another program.") : NO_CODE;
}

/** The value of an alias that begins with `!` is shell text. */
function aliasCode(options: readonly string[]): CodeArguments {
  const scripts = options.filter((text) => text.startsWith("!")).map((text) => text.slice(1));
  return { ...NO_CODE, scripts };
}

/** Words of these are texts of the person more often than options. */
function isMessage(sub: string): boolean {
  return sub === "commit" || sub === "tag" || sub === "notes";
}

function eachSubmodule(args: readonly Field[]): CodeArguments {
  const rest = args.filter((field) => fieldText(field) !== "--recursive");
  return rest.length === 1 ? joinedScript(rest) : { ...NO_CODE, commands: [rest] };
}
