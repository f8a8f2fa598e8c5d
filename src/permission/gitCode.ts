import { type CodeArguments, hiddenCode, joinedScript, NO_CODE } from "./codeFound.ts";
import { type Field, fieldStart, fieldText } from "./shell/fields.ts";

const GIT_VALUED = new Set(["-C", "--git-dir", "--work-tree", "--namespace", "--super-prefix"]);
const GIT_CONFIGURES = /^(?:-c|--config-env|--exec-path|--git-dir|--work-tree|--attr-source)/;
const GIT_RUNS =
  /^(?:--upload-pack|--receive-pack|--exec|--open-files-in-pager|--extcmd|--ext-diff|--textconv|--upload-archive)(?:=|$)|^ext::/;

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
  const letter =
    sub === "grep" ? /^-[a-zA-Z]*O/ : /^(?:rebase|difftool|mergetool)$/.test(sub) ? /^-[a-zA-Z]*x/ : undefined;
  const runs = options.some((text) => (letter?.test(text) ?? false) || (GIT_RUNS.test(text) && !isMessage(sub)));
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
