/**
 * Names whose content is run, or decides what runs, by tools that the person trusts: an agent that may edit code may not
 * write them on the word of a mode. They are guarded at any depth, for writing only.
 */

/** Folders: everything in them is protected. A name with `/` needs all its parts in a row; so it is with files. */
const FOLDERS = [
  ".git",
  ".vscode",
  ".vscode-server",
  ".claude",
  ".muster",
  ".cursor",
  ".windsurf",
  ".idea",
  ".fleet",
  ".zed",
  ".husky",
  ".devcontainer",
  ".githooks",
  ".github/workflows",
  ".github/actions",
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".config/git",
  ".config/fish",
  ".config/autostart",
  ".config/systemd",
  ".config/gh",
  ".config/gcloud",
  ".local/bin",
  "node_modules/.bin",
  "library/launchagents",
  "library/launchdaemons",
];

const FILES = [
  ".gitconfig",
  ".gitmodules",
  ".mcp.json",
  ".claude.json",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".pypirc",
  ".netrc",
  ".git-credentials",
  ".curlrc",
  ".wgetrc",
  ".ripgreprc",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".inputrc",
  ".envrc",
  ".vimrc",
  ".exrc",
  ".tmux.conf",
  ".pre-commit-config.yaml",
  ".cargo/config",
  ".cargo/config.toml",
  ".bazelrc",
];

const ENDINGS = [".code-workspace"];

interface ProtectedName {
  parts: readonly string[];
  folder: boolean;
}

const NAMES: readonly ProtectedName[] = [
  ...FOLDERS.map((name) => ({ parts: name.split("/"), folder: true })),
  ...FILES.map((name) => ({ parts: name.split("/"), folder: false })),
];

/**
 * The protected name that the path falls under, or undefined. Compared in the form in which any file system might open
 * it: case-folded, NFKC, without invisible characters, without the trailing dots, blanks and stream names that Windows
 * drops, and as 8.3 short names.
 */
export function protectedName(segments: readonly string[]): string | undefined {
  const names = segments.map(plainName);
  for (const { parts, folder } of NAMES) {
    if (names.some((_, at) => (folder || at === names.length - parts.length) && matchesAt(names, at, parts)))
      return parts.join("/");
  }
  const last = names.at(-1) ?? "";
  return ENDINGS.find((ending) => last.endsWith(ending) || isShortName(last, `x${ending}`));
}

function matchesAt(names: readonly string[], at: number, parts: readonly string[]): boolean {
  return parts.every((part, index) => {
    const name = names[at + index];
    return name !== undefined && (name === part || isShortName(name, part));
  });
}

function plainName(segment: string): string {
  return segment
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cc}/gu, "")
    .replace(/^([^:]+):.*$/s, "$1")
    .replace(/[. ]+$/, "");
}

/** Whether `name` is what Windows may call `long` in 8.3 form: `VSCODE~1` for `.vscode`. */
function isShortName(name: string, long: string): boolean {
  const short = /^([^~.]{1,6})~\d+(?:\.([^.]{1,3}))?$/.exec(name);
  if (!short) return false;
  const [, base = "", extension] = short;
  const dot = long.lastIndexOf(".");
  const stem = (dot > 0 ? long.slice(0, dot) : long).replace(/[. ]/g, "").replace(/[+,;=[\]]/g, "_");
  const ending = dot > 0 ? long.slice(dot + 1, dot + 4) : undefined;
  if (long.startsWith("x.")) return extension === ending;
  return stem.slice(0, 6) === base && (extension === ending || extension === undefined);
}
