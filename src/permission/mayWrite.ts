import { type Field, fieldStart, fieldText, textField } from "./shell/fields.ts";

/** Programs that write what some of their arguments name, in more forms than `fileUse` and `outputsOf` tell. */
const WRITERS = new Set(
  (
    "cp mv install ln link rm rmdir unlink shred truncate tee sponge touch mkdir chmod chown chgrp dd sed gsed awk gawk " +
    "mawk perl ruby tar bsdtar pax cpio ar zip unzip 7z 7za 7zr unrar gzip gunzip bzip2 bunzip2 xz unxz zstd rsync scp sftp " +
    "curl wget aria2c patch ed ex vi vim nvim sort uniq split csplit shuf xxd find openssl gpg age ssh-keygen yq"
  ).split(" "),
);

/** Subcommands of git that write files of the work tree, or files that they are told. */
const GIT_WRITERS =
  /^(?:mv|rm|checkout|restore|reset|clone|init|worktree|apply|am|archive|bundle|format-patch|clean|submodule|checkout-index|mailsplit)$/;

const MAX_LENGTH = 4096;
const MAX_PIECES = 400;

/**
 * What the program may write, its own folder and arguments: with options that are not known, or in a bundle, nobody can
 * tell which it does. Worth a look only for files that nothing but a rule for the very file allows to write.
 */
export function mayWrite(program: string, fields: readonly Field[]): Field[] {
  const [, ...args] = fields;
  if (program === "git" ? !gitWrites(args) : !WRITERS.has(program)) return [];
  return [textField("."), ...args.flatMap(pathsIn).slice(0, MAX_PIECES)];
}

function gitWrites(args: readonly Field[]): boolean {
  const texts = args.map((field) => fieldText(field) ?? "");
  return GIT_WRITERS.test(texts.find((text, index) => !text.startsWith("-") && texts[index - 1] !== "-C") ?? "");
}

/** The argument, what stands behind `=`, what is attached to letters of an option, and paths inside a script. */
function pathsIn(field: Field): Field[] {
  const text = fieldText(field);
  if (text === undefined) return fieldStart(field).startsWith("-") ? [] : [field];
  if (text.length > MAX_LENGTH) return [];
  const parts = text.split(/[\s"'`;,(){}<>|=@]+/).filter((part) => part !== "");
  const letters = /^-[a-zA-Z]*/.exec(text)?.[0].length ?? 0;
  const attached = Array.from({ length: Math.min(letters, 12) }, (_, index) => text.slice(index + 1));
  const found = new Set([...(text.startsWith("-") ? attached : [text]), ...parts.filter((part) => part !== text)]);
  return [...found].filter((part) => !part.startsWith("-")).map(textField);
}
