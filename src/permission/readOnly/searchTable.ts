import { type OptionTable, optionTable } from "../shell/options.ts";

/** Options of `grep` and its siblings. */
export const GREP_OPTIONS: OptionTable = optionTable({
  flags:
    "-abcEFGHhIiLlnoPqRrsTUuvwxyzZ --text --byte-offset --count --extended-regexp --fixed-strings --basic-regexp --perl-regexp --with-filename --no-filename --ignore-case --no-ignore-case --files-without-match --files-with-matches --line-number --only-matching --quiet --silent --recursive --dereference-recursive --no-messages --initial-tab --binary --invert-match --word-regexp --line-regexp --null --null-data --line-buffered --help --version",
  valued:
    "-ABCdDem --after-context --before-context --context --directories --devices --regexp --max-count --binary-files --exclude --exclude-dir --include --label --group-separator --no-group-separator",
  paths: "-f --file --exclude-from",
  optional: "--color --colour",
  numeric: true,
  harmless: true,
});

/** Options of `rg`. Those that run a program (`--pre`, `--hostname-bin`, `-z`) are left out. */
export const RG_OPTIONS: OptionTable = optionTable({
  flags:
    "-abcFHIiLlnNoPpqSsUuvVwx0. --text --byte-offset --count --count-matches --fixed-strings --with-filename --no-filename --ignore-case --follow --files-with-matches --files-without-match --files --line-number --no-line-number --only-matching --pcre2 --no-pcre2 --pretty --quiet --smart-case --case-sensitive --multiline --multiline-dotall --no-multiline --unrestricted --invert-match --vimgrep --word-regexp --line-regexp --null --null-data --hidden --no-hidden --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-global --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-messages --no-messages --no-config --heading --no-heading --column --no-column --trim --stats --json --crlf --debug --line-buffered --block-buffered --no-unicode --unicode --one-file-system --passthru --print0 --include-zero --glob-case-insensitive --max-columns-preview --no-max-columns-preview --type-list --mmap --no-mmap --sort-files --no-pre --no-require-git --stop-on-nonmatch --help --version",
  valued:
    "-ABCdeEgjMmrTt --after-context --before-context --context --color --colors --context-separator --encoding --engine --dfa-size-limit --regex-size-limit --field-context-separator --field-match-separator --glob --iglob --max-columns --max-count --max-depth --maxdepth --max-filesize --path-separator --regexp --replace --sort --sortr --threads --type --type-not --type-add --type-clear --hyperlink-format --generate",
  paths: "-f --file --ignore-file",
});

/** Options of `fd`. Those that run a program (`-x`, `-X`) are left out. */
export const FD_OPTIONS: OptionTable = optionTable({
  flags:
    "-HIusiglaLpq1h0 --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --relative-path --follow --full-path --quiet --print0 --prune --show-errors --one-file-system --no-require-git --strip-cwd-prefix --help --version -V",
  valued:
    "-dtEecojS --max-depth --min-depth --exact-depth --type --exclude --extension --color --owner --threads --size --changed-within --changed-before --max-results --path-separator --and --format --base-directory --search-path",
});

/** Options of `jq`. */
export const JQ_OPTIONS: OptionTable = optionTable({
  flags:
    "-nrjaScCMse --null-input --raw-input --slurp --compact-output --raw-output --raw-output0 --join-output --ascii-output --sort-keys --color-output --monochrome-output --tab --unbuffered --stream --stream-errors --seq --exit-status --help --version -h -V -R --exit-status",
  valued: "--indent",
});

/** Options of `awk` that take text only. */
export const AWK_OPTIONS: OptionTable = optionTable({
  flags: "--version --posix --re-interval --csv",
  valued: "-Fv --field-separator --assign",
});

/** Options of `sed` with which it only prints. */
export const SED_OPTIONS: OptionTable = optionTable({
  flags:
    "-nErsuz --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix --debug --sandbox --help --version",
  valued: "-el --expression --line-length",
});

/** Words of `find` that test or print, with the number of words behind each. */
export const FIND_WORDS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: "( ) ! , -a -and -o -or -not -true -false -depth -d -mount -xdev -x -noleaf -daystart -warn -nowarn -ignore_readdir_race -noignore_readdir_race -empty -nouser -nogroup -readable -writable -executable -print -print0 -prune -quit -ls -help --help -version --version",
    1: "-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newer -path -perm -printf -regex -regextype -samefile -size -type -uid -used -user -wholename -xtype",
  }).flatMap(([count, words]) => words.split(" ").map((word) => [word, Number(count)] as const)),
);
