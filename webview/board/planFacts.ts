import { Marked, type Token, type Tokens } from "marked";

/** What a plan names, in the order in which it does, each once. */
export interface PlanFacts {
  files: string[];
  /** Lines of its blocks of shell. */
  commands: string[];
}

const SHELLS: ReadonlySet<string> = new Set(["", "sh", "bash", "shell", "zsh", "console", "powershell", "pwsh", "cmd"]);
/** A path; a name without a folder only with one of the usual endings, because `console.log` is none. */
const IN_FOLDER = /^(?:[A-Za-z]:)?[\\/]?(?:[\p{L}\p{N}_@.+~-]+[\\/])+[\p{L}\p{N}_@.+-]+$/u;
const BARE =
  /^[\p{L}\p{N}_@.+-]+\.(?:[cm]?[jt]sx?|json|md|py|go|rs|java|kts?|swift|[ch](?:pp)?|cs|rb|php|sql|sh|ya?ml|toml|css|html?|txt|vue|svelte)$/u;

const marked = new Marked();

/** Reads which files and which commands a plan names: files as code in its text, commands in blocks of shell. */
export function planFacts(plan: string): PlanFacts {
  const files = new Set<string>();
  const commands = new Set<string>();
  void marked.walkTokens(marked.lexer(plan), (token: Token) => {
    if (token.type === "codespan") {
      const { text } = token as Tokens.Codespan;
      if (IN_FOLDER.test(text) || BARE.test(text)) files.add(text);
    } else if (token.type === "code") {
      const { text, lang = "" } = token as Tokens.Code;
      if (SHELLS.has(lang.toLowerCase())) for (const line of commandLines(text)) commands.add(line);
    }
  });
  return { files: [...files], commands: [...commands] };
}

function commandLines(text: string): string[] {
  return text
    .replace(/\s*\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.trim().replace(/^\$ /, ""))
    .filter((line) => line !== "" && !line.startsWith("#"));
}
