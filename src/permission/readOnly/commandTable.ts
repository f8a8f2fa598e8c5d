import { type OptionTable, optionTable } from "../shell/options.ts";

/**
 * What stands behind the options of a program that only reads. `none`: nothing may; `text`: words that are no files;
 * `paths`: files that it reads; `onePath`: at most one, because a second one would be written; `names`: paths whose names
 * are shown, not their content; `search`: a pattern, then files.
 */
export type Operands = "none" | "text" | "paths" | "onePath" | "names" | "search";

/** A program that neither writes nor runs anything nor talks to anyone, with the options for which that is true. */
export interface ReadOnlyCommand {
  options: OptionTable;
  operands: Operands;
  /** Options that make it read everything below a folder. */
  recursive?: ReadonlySet<string>;
}

type Row = Parameters<typeof optionTable>[0] & { operands: Operands; recursive?: string };

const HELP = "--help --version";
const CHECKSUM: Row = {
  operands: "paths",
  flags: `-bctwz --binary --check --text --tag --quiet --status --strict --warn --zero --ignore-missing ${HELP}`,
  valued: "-al --algorithm --length",
};
const BLANKS: Row = { operands: "paths", flags: `-ai --all --initial --first-only ${HELP}`, valued: "-t --tabs" };

const FILES: Record<string, Row> = {
  ls: {
    operands: "names",
    harmless: true,
    flags: `-aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1 --all --almost-all --author --escape --ignore-backups --directory --dired --no-group --human-readable --si --dereference --dereference-command-line --inode --kibibytes --literal --numeric-uid-gid --hide-control-chars --show-control-chars --quote-name --reverse --recursive --size --context --full-time --group-directories-first --file-type --zero ${HELP}`,
    valued:
      "-ITw --block-size --hide --ignore --indicator-style --quoting-style --sort --tabsize --time --time-style --width --format",
    optional: "--color --classify --hyperlink",
  },
  cat: {
    operands: "paths",
    harmless: true,
    flags: `-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting ${HELP}`,
  },
  tac: { operands: "paths", flags: `-br --before --regex ${HELP}`, valued: "-s --separator" },
  nl: {
    operands: "paths",
    flags: `-p --no-renumber ${HELP}`,
    valued:
      "-bdfhilnsvw --body-numbering --header-numbering --footer-numbering --line-increment --number-format --number-separator --number-width --starting-line-number --section-delimiter --join-blank-lines",
  },
  head: {
    operands: "paths",
    harmless: true,
    numeric: true,
    flags: `-qvz --quiet --silent --verbose --zero-terminated ${HELP}`,
    valued: "-cn --bytes --lines",
  },
  tail: {
    operands: "paths",
    harmless: true,
    numeric: true,
    flags: `-fFqvzr --follow --quiet --silent --retry --verbose --zero-terminated ${HELP}`,
    valued: "-cns --bytes --lines --pid --sleep-interval --max-unchanged-stats",
    optional: "--follow",
  },
  wc: {
    operands: "paths",
    harmless: true,
    flags: `-clLmw --bytes --chars --lines --words --max-line-length ${HELP}`,
    valued: "--total",
  },
  stat: {
    operands: "names",
    harmless: true,
    flags: `-fLtx --dereference --file-system --terse ${HELP}`,
    valued: "-c --format --printf --cached",
  },
  file: {
    operands: "paths",
    flags: `-bhikLNprsS0 --brief --mime --mime-type --mime-encoding --no-dereference --dereference --keep-going --extension --no-buffer --no-pad --print0 --raw --version --help`,
    valued: "-FPe --separator --exclude",
  },
  du: {
    operands: "names",
    harmless: true,
    flags: `-abcDhHklLmPsSx0 --all --apparent-size --bytes --total --dereference --dereference-args --human-readable --si --inodes --count-links --no-dereference --separate-dirs --summarize --one-file-system --null ${HELP}`,
    valued: "-Bdt --block-size --max-depth --threshold --exclude --time-style",
    optional: "--time",
  },
  df: {
    operands: "names",
    harmless: true,
    flags: `-ahHiklPTm --all --human-readable --si --inodes --local --portability --print-type --total --no-sync ${HELP}`,
    valued: "-Btx --block-size --type --exclude-type",
    optional: "--output",
  },
  diff: {
    operands: "paths",
    numeric: true,
    recursive: "-r --recursive",
    flags: `-abBcdeEinNpPqrstTuwyZ --brief --recursive --unified --context --ed --rcs --side-by-side --text --minimal --new-file --report-identical-files --show-c-function --suppress-common-lines --suppress-blank-empty --strip-trailing-cr --initial-tab --expand-tabs --ignore-all-space --ignore-blank-lines --ignore-case --ignore-file-name-case --ignore-space-change --ignore-tab-expansion --ignore-trailing-space --no-dereference --speed-large-files --left-column ${HELP}`,
    valued: "-CUIWFxL --exclude --horizon-lines --ignore-matching-lines --show-function-line --label --width --tabsize",
    optional: "--color --unified --context",
  },
  cmp: {
    operands: "paths",
    flags: `-bls --print-bytes --verbose --quiet --silent ${HELP}`,
    valued: "-in --ignore-initial --bytes",
  },
  od: {
    operands: "paths",
    flags: `-abcdDeFhHiIlLoOsvxX --output-duplicates --traditional ${HELP}`,
    valued: "-AjNStw --address-radix --skip-bytes --read-bytes --strings --format --width --endian",
  },
  hexdump: { operands: "paths", flags: "-bcCdovx", valued: "-ens" },
  hd: { operands: "paths", flags: "-bcCdovx", valued: "-ens" },
  xxd: { operands: "onePath", flags: "-abeEipu", valued: "-cglnos" },
  strings: {
    operands: "paths",
    numeric: true,
    flags: `-adfw --all --data --print-file-name --include-all-whitespace ${HELP}`,
    valued: "-enst --bytes --encoding --radix --output-separator",
  },
  readlink: {
    operands: "names",
    harmless: true,
    flags: `-efmnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero ${HELP}`,
  },
  realpath: {
    operands: "names",
    harmless: true,
    flags: `-eLmPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip --no-symlinks --zero ${HELP}`,
    valued: "--relative-to --relative-base",
  },
  tree: {
    operands: "names",
    flags: `-aACdDfFghilnNpqQrsStuUvxJX --charset --dirsfirst --filesfirst --noreport --prune --du --si --gitignore --matchdirs --ignore-case --metafirst --inodes --device --nolinks ${HELP}`,
    valued: "-ILP --filelimit --timefmt --sort",
    optional: "--sort --timefmt --filelimit --charset",
  },
  basename: { operands: "text", harmless: true, flags: `-az --multiple --zero ${HELP}`, valued: "-s --suffix" },
  dirname: { operands: "text", harmless: true, flags: `-z --zero ${HELP}` },
};

const TEXT: Record<string, Row> = {
  sort: {
    operands: "paths",
    flags: `-bcCdfghiMmnRrsuVz --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --merge --numeric-sort --random-sort --reverse --stable --unique --version-sort --zero-terminated --debug ${HELP}`,
    valued: "-ktS --key --field-separator --buffer-size --parallel --sort",
    optional: "--check",
  },
  uniq: {
    operands: "onePath",
    flags: `-cdDiuz --count --repeated --ignore-case --unique --zero-terminated ${HELP}`,
    valued: "-fsw --skip-fields --skip-chars --check-chars",
    optional: "--all-repeated --group",
  },
  cut: {
    operands: "paths",
    harmless: true,
    flags: `-nsz --complement --only-delimited --zero-terminated ${HELP}`,
    valued: "-bcdf --bytes --characters --delimiter --fields --output-delimiter",
  },
  tr: {
    operands: "text",
    harmless: true,
    flags: `-cCdst --complement --delete --squeeze-repeats --truncate-set1 ${HELP}`,
  },
  comm: {
    operands: "paths",
    flags: `-123iz --check-order --nocheck-order --total --zero-terminated ${HELP}`,
    valued: "--output-delimiter",
  },
  column: {
    operands: "paths",
    flags: `-denxtJL --table --json --keep-empty-lines --table-noextreme --fillrows ${HELP}`,
    valued:
      "-csoNRTHOW --separator --output-separator --output-width --table-columns --table-right --table-hide --table-order --table-truncate --table-wrap --table-name",
  },
  paste: { operands: "paths", flags: `-sz --serial --zero-terminated ${HELP}`, valued: "-d --delimiters" },
  join: {
    operands: "paths",
    flags: `-iz --check-order --nocheck-order --header --ignore-case --zero-terminated ${HELP}`,
    valued: "-12aejotv",
  },
  fold: { operands: "paths", flags: `-bs --bytes --spaces ${HELP}`, valued: "-w --width" },
  fmt: {
    operands: "paths",
    numeric: true,
    flags: "-cstu --crown-margin --split-only --uniform-spacing",
    valued: "-gpw --width --goal --prefix",
  },
  expand: BLANKS,
  unexpand: BLANKS,
  rev: { operands: "paths", flags: HELP },
  tsort: { operands: "paths", flags: HELP },
  numfmt: {
    operands: "text",
    flags: `-z --debug --grouping --zero-terminated ${HELP}`,
    valued: "-d --delimiter --field --format --from --from-unit --invalid --padding --round --suffix --to --to-unit",
    optional: "--header",
  },
  base64: { operands: "paths", flags: `-di --decode --ignore-garbage ${HELP}`, valued: "-w --wrap" },
  cksum: CHECKSUM,
  sum: { operands: "paths", flags: `-rs --sysv ${HELP}` },
  md5sum: CHECKSUM,
  sha1sum: CHECKSUM,
  sha256sum: CHECKSUM,
  sha384sum: CHECKSUM,
  sha512sum: CHECKSUM,
  b2sum: CHECKSUM,
  shasum: { operands: "paths", flags: `-bctUs0 --check --binary --text --status ${HELP}`, valued: "-a --algorithm" },
};

const FACTS: Record<string, Row> = {
  whoami: { operands: "none", flags: HELP },
  id: { operands: "text", flags: `-agGnruzZ --group --groups --name --real --user --zero ${HELP}` },
  groups: { operands: "text", flags: HELP },
  logname: { operands: "none", flags: HELP },
  users: { operands: "none", flags: HELP },
  hostname: { operands: "none", flags: "-sfdiI --short --fqdn --long --domain --ip-address --all-ip-addresses" },
  uname: {
    operands: "none",
    flags: `-aimnoprsv --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system ${HELP}`,
  },
  arch: { operands: "none", flags: HELP },
  nproc: { operands: "none", flags: `--all ${HELP}`, valued: "--ignore" },
  uptime: { operands: "none", flags: `-ps --pretty --since ${HELP}` },
  free: { operands: "none", flags: `-bgkmhltwv --bytes --kilo --mega --giga --human --lohi --total --wide ${HELP}` },
  lscpu: { operands: "none", flags: "-aebcpxyJ --json --extended --parse" },
  sw_vers: { operands: "none", flags: "=-productName =-productVersion =-buildVersion" },
  tty: { operands: "none", flags: `-s --silent --quiet ${HELP}` },
  locale: { operands: "text", flags: `-akcm --all-locales --charmaps --category-name --keyword-name ${HELP}` },
  pwd: { operands: "none", flags: "-LP --logical --physical" },
  true: { operands: "text", harmless: true },
  false: { operands: "text", harmless: true },
  ":": { operands: "text", harmless: true },
  seq: {
    operands: "text",
    numeric: true,
    harmless: true,
    flags: `-w --equal-width ${HELP}`,
    valued: "-fs --format --separator",
  },
  sleep: { operands: "text", flags: HELP },
  expr: { operands: "text" },
  factor: { operands: "text", flags: HELP },
  which: { operands: "text", flags: "-as --all" },
  whereis: { operands: "text", flags: "-bmsu" },
  type: { operands: "text", flags: "-aftpP" },
  ss: {
    operands: "none",
    flags: "-aelmnoprtuwxi46sH --all --listening --numeric --tcp --udp --unix --processes --summary",
  },
  pgrep: {
    operands: "text",
    flags: "-aflnovwxi --full --list-name --list-full --newest --oldest --exact --inverse --count --ignore-case -c",
    valued: "-dgGPstuU --delimiter --parent --uid --euid --terminal",
  },
  jobs: { operands: "text", flags: "-lnprs" },
  exit: { operands: "text" },
  return: { operands: "text" },
  break: { operands: "text" },
  continue: { operands: "text" },
  shift: { operands: "text" },
  times: { operands: "none" },
};

/** Programs that only read, by name. Those with rules of their own (`git`, `find`, `sed`, …) are not in it. */
export const READ_ONLY_COMMANDS: ReadonlyMap<string, ReadOnlyCommand> = new Map(
  Object.entries({ ...FILES, ...TEXT, ...FACTS }).map(([name, { operands, recursive, ...texts }]) => [
    name,
    {
      options: optionTable(texts),
      operands,
      ...(recursive ? { recursive: new Set(recursive.split(" ")) } : {}),
    },
  ]),
);

/** Programs that may be asked for their version, with the words that do. */
export const VERSION_COMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    "node npm npx yarn pnpm bun deno tsc eslint prettier vite vitest jest": ["-v", "--version"],
    "python python3 pip pip3 pytest ruff mypy black uv poetry pipx pre-commit pyright": ["-V", "--version"],
    "cargo rustc rustup rustfmt": ["-V", "--version"],
    "git gh docker docker-compose podman kubectl helm terraform tmux make cmake ninja gcc g++ clang cc c++ ld bash zsh curl wget jq rg fd grep sed awk gawk find tar gzip unzip rsync ssh sqlite3 psql mysql redis-cli redis-server composer php perl lua sbt gradle dotnet flutter dart swift kotlin scala ghc cabal stack code tree bat fzf ag":
      ["--version"],
    "go zig": ["version"],
    "java javac": ["-version", "--version"],
    "ruby gem bundle": ["-v", "--version"],
    mvn: ["-v", "--version"],
  }).flatMap(([names, words]) => names.split(" ").map((name) => [name, new Set(words)] as const)),
);
