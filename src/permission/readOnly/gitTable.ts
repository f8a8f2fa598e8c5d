import { type OptionTable, optionTable } from "../shell/options.ts";

/**
 * A subcommand of git in a form that only reads the repository. `operands`: whether revisions and paths may follow.
 * `needs`: operands only with one of these options, because without it they would be written. `refuses`: first operands
 * that make it write.
 */
export interface GitCommand {
  options: OptionTable;
  operands: boolean;
  needs?: ReadonlySet<string>;
  /** Operands that need no such option. */
  free?: number;
  refuses?: ReadonlySet<string>;
  maxOperands?: number;
}

const DIFF_FLAGS =
  "-abcipsuwzDRW --text --patch --no-patch --raw --patch-with-raw --patch-with-stat --numstat --shortstat --summary --cumulative --name-only --name-status --no-color --no-renames --rename-empty --no-rename-empty --check --full-index --binary --minimal --patience --histogram --compact-summary --find-copies-harder --irreversible-delete --pickaxe-all --pickaxe-regex --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --function-context --exit-code --quiet -q --no-ext-diff --no-textconv --no-prefix --default-prefix --cached --staged --merge-base --indent-heuristic --no-indent-heuristic --no-color-moved --no-color-moved-ws --ita-invisible-in-index --ita-visible-in-index --no-relative --cc --combined-all-paths -m -t";
const DIFF_VALUED =
  "-SGlU --diff-filter --anchored --src-prefix --dst-prefix --line-prefix --inter-hunk-context --diff-algorithm --unified --word-diff-regex --ws-error-highlight --color-moved-ws --find-object --rotate-to --skip-to --output-indicator-new --output-indicator-old --output-indicator-context";
const DIFF_OPTIONAL =
  "--stat --stat-width --stat-name-width --stat-count --dirstat --dirstat-by-file --color --word-diff --color-words --color-moved --find-renames --find-copies --break-rewrites --abbrev --submodule --relative --ignore-submodules -M -C -B --unified --diff-merges --ignore-matching-lines";

const LOG_FLAGS = `${DIFF_FLAGS} -EFgP1r --oneline --no-decorate --source --graph --no-graph --all --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --reflog --walk-reflogs --follow --full-history --full-diff --dense --sparse --simplify-by-decoration --simplify-merges --show-pulls --reverse --date-order --author-date-order --topo-order --abbrev-commit --no-abbrev-commit --parents --children --left-right --left-only --right-only --cherry --cherry-pick --cherry-mark --boundary --do-walk --count --no-notes --relative-date --no-diff-merges --dd --remerge-diff --clear-decorations --mailmap --no-mailmap --use-mailmap --log-size --no-expand-tabs --no-encode-email-headers --remove-empty --objects --timestamp`;
const LOG_VALUED = `${DIFF_VALUED} -nL --max-count --skip --since --after --until --before --since-as-filter --author --committer --grep --grep-reflog --min-parents --max-parents --glob --exclude --exclude-hidden --date --encoding --decorate-refs --decorate-refs-exclude`;
const LOG_OPTIONAL = `${DIFF_OPTIONAL} --decorate --branches --tags --remotes --format --pretty --ancestry-path --no-walk --notes --show-notes --expand-tabs`;

const diffOptions = optionTable({ flags: DIFF_FLAGS, valued: DIFF_VALUED, optional: DIFF_OPTIONAL, numeric: true });
const logOptions = optionTable({ flags: LOG_FLAGS, valued: LOG_VALUED, optional: LOG_OPTIONAL, numeric: true });
const LISTS = "--contains --no-contains --merged --no-merged --points-at --list -l";
const REF_FORMAT = "--sort --format --count --exclude --points-at";

const history: GitCommand = { options: logOptions, operands: true };
const comparison: GitCommand = { options: diffOptions, operands: true };

/** Read-only forms by subcommand. Two words for those that have subcommands of their own. */
export const GIT_COMMANDS: ReadonlyMap<string, GitCommand> = new Map<string, GitCommand>([
  ["log", history],
  ["show", history],
  ["whatchanged", history],
  ["rev-list", history],
  ["reflog", { ...history, refuses: new Set(["expire", "delete", "drop", "write"]) }],
  ["stash list", history],
  [
    "stash show",
    {
      options: options(`${DIFF_FLAGS} -u --include-untracked --only-untracked`, DIFF_VALUED, DIFF_OPTIONAL),
      operands: true,
    },
  ],
  ["diff", { options: options(`${DIFF_FLAGS} --no-index`, DIFF_VALUED, DIFF_OPTIONAL), operands: true }],
  [
    "diff-tree",
    {
      options: options(`${DIFF_FLAGS} -r --root --no-commit-id`, DIFF_VALUED, `${DIFF_OPTIONAL} --pretty --format`),
      operands: true,
    },
  ],
  ["diff-index", comparison],
  ["diff-files", comparison],
  [
    "range-diff",
    {
      options: options(
        `${DIFF_FLAGS} --no-dual-color --left-only --right-only`,
        `${DIFF_VALUED} --creation-factor`,
        `${DIFF_OPTIONAL} --notes`,
      ),
      operands: true,
    },
  ],
  [
    "shortlog",
    {
      options: options(
        "-nsec --numbered --summary --email --no-merges --merges --all",
        "--group --since --until --author --max-count -n",
        "--format -w --branches --tags",
      ),
      operands: true,
    },
  ],
  [
    "status",
    {
      options: options(
        "-sbvz --short --branch --show-stash --long --verbose --no-column --ahead-behind --no-ahead-behind --renames --no-renames",
        "",
        "-u --porcelain --untracked-files --ignored --ignore-submodules --column --find-renames",
      ),
      operands: true,
    },
  ],
  [
    "blame",
    {
      options: options(
        "-bcefklnpstw --root --show-stats --porcelain --line-porcelain --incremental --color-lines --color-by-age --show-email --show-name --show-number --first-parent --progress --no-progress --minimal",
        "-L --since --date --abbrev --ignore-rev",
        "-M -C --abbrev",
      ),
      operands: true,
    },
  ],
  ["annotate", { options: options("-beflstw", "-L --date", "-M -C"), operands: true }],
  [
    "rev-parse",
    {
      options: options(
        "-q --quiet --verify --symbolic --symbolic-full-name --revs-only --no-revs --flags --no-flags --all --sq --not --show-toplevel --show-prefix --show-cdup --show-superproject-working-tree --git-dir --absolute-git-dir --git-common-dir --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --local-env-vars --show-ref-format --end-of-options",
        "--default --git-path --since --until --disambiguate",
        "--abbrev-ref --short --branches --tags --remotes --glob --exclude --path-format --show-object-format",
      ),
      operands: true,
    },
  ],
  [
    "ls-files",
    {
      options: options(
        "-cdkmostuvzif --cached --deleted --modified --others --ignored --stage --directory --no-empty-directory --unmerged --killed --exclude-standard --error-unmatch --full-name --recurse-submodules --eol --sparse --deduplicate --resolve-undo",
        "-x --exclude --format",
        "--abbrev",
      ),
      operands: true,
    },
  ],
  [
    "ls-tree",
    {
      options: options(
        "-dlrtz --long --name-only --name-status --object-only --full-name --full-tree",
        "--format",
        "--abbrev",
      ),
      operands: true,
    },
  ],
  ["cat-file", { options: options("-epst --allow-unknown-type --no-textconv"), operands: true }],
  [
    "describe",
    {
      options: options(
        "--all --tags --contains --always --long --exact-match --debug --first-parent",
        "--candidates --match --exclude",
        "--dirty --broken --abbrev",
      ),
      operands: true,
    },
  ],
  [
    "name-rev",
    { options: options("--tags --all --name-only --always --no-undefined", "--refs --exclude"), operands: true },
  ],
  ["merge-base", { options: options("-a --all --octopus --independent --is-ancestor --fork-point"), operands: true }],
  ["cherry", { options: options("-v", "", "--abbrev"), operands: true }],
  [
    "show-branch",
    {
      options: options(
        "-ar --all --remotes --current --topo-order --date-order --sparse --more --list --merge-base --independent --no-name --sha1-name --topics --no-color",
        "",
        "--color --reflog",
      ),
      operands: true,
    },
  ],
  [
    "show-ref",
    {
      options: options(
        "-dhqs --head --heads --branches --tags --verify --dereference --quiet",
        "",
        "--hash --abbrev --exists",
      ),
      operands: true,
    },
  ],
  [
    "for-each-ref",
    {
      options: options(
        "--ignore-case --include-root-refs --omit-empty",
        `${REF_FORMAT} --color`,
        "--merged --no-merged --contains --no-contains",
      ),
      operands: true,
    },
  ],
  ["check-ignore", { options: options("-qvnz --quiet --verbose --non-matching --no-index"), operands: true }],
  ["check-attr", { options: options("-az --all --cached", "--source"), operands: true }],
  ["check-mailmap", { options: options(""), operands: true }],
  ["count-objects", { options: options("-vH --verbose --human-readable"), operands: false }],
  ["var", { options: options("-l"), operands: true }],
  ["version", { options: options("--build-options"), operands: false }],
  ["symbolic-ref", { options: options("-q --quiet --short --recurse --no-recurse"), operands: true, maxOperands: 1 }],
  [
    "branch",
    {
      options: options(
        "-aqrivl --all --remotes --list --verbose --show-current --ignore-case --quiet --no-color --no-column --no-abbrev -vv --omit-empty",
        `${REF_FORMAT} --contains --no-contains --merged --no-merged`,
        "--color --column --abbrev --contains --no-contains --merged --no-merged",
      ),
      operands: true,
      needs: new Set(LISTS.split(" ")),
    },
  ],
  [
    "tag",
    {
      options: options(
        "-il --list --ignore-case --no-column --omit-empty",
        `${REF_FORMAT} --contains --no-contains --merged --no-merged`,
        "-n --color --column --contains --no-contains --merged --no-merged",
      ),
      operands: true,
      needs: new Set(LISTS.split(" ")),
    },
  ],
  ["remote", { options: options("-v --verbose"), operands: false }],
  ["remote get-url", { options: options("--push --all"), operands: true }],
  ["worktree list", { options: options("-vz --verbose --porcelain"), operands: false }],
  ["notes list", { options: options(""), operands: true }],
  ["notes show", { options: options(""), operands: true }],
  ["bisect log", { options: options(""), operands: false }],
  ["submodule status", { options: options("--cached --recursive"), operands: true }],
  [
    "config",
    {
      options: options(
        "-lz --get --get-all --get-regexp --get-urlmatch --list --name-only --show-origin --show-scope --null --bool --int --bool-or-int --path --expiry-date --no-type --includes --no-includes --global --local --system --worktree --all --show-names",
        "--type --default",
      ),
      operands: true,
      free: 1,
      needs: new Set("--get --get-all --get-regexp --get-urlmatch --list -l".split(" ")),
    },
  ],
  [
    "config get",
    {
      options: options(
        "-z --all --show-origin --show-scope --null --bool --int --global --local --system --worktree --regexp --show-names",
        "--type --default --value --url",
      ),
      operands: true,
    },
  ],
  [
    "config list",
    {
      options: options("-z --name-only --show-origin --show-scope --null --global --local --system --worktree"),
      operands: false,
    },
  ],
]);

/** Options of git itself that do not make it run or read anything else. */
export const GIT_GLOBAL_OPTIONS: OptionTable = optionTable({
  flags:
    "-P --no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --bare",
  valued: "-C",
});

/** Options of `git grep`, whose operands are a pattern and paths. */
export const GIT_GREP_OPTIONS: OptionTable = optionTable({
  flags:
    "-abcEFGHhIilLnopPqrvwWz --cached --untracked --no-index --no-exclude-standard --exclude-standard --recurse-submodules --text --ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --fixed-strings --perl-regexp --line-number --column --files-with-matches --name-only --files-without-match --only-matching --count --no-color --break --heading --show-function --function-context --quiet --all-match --and --or --not --no-textconv --null --no-recursive --recursive",
  valued: "-eABCm --max-depth --threads --context --after-context --before-context --max-count",
  paths: "-f",
  optional: "--color",
  numeric: true,
});

function options(flags: string, valued = "", optional = ""): OptionTable {
  return optionTable({ flags, valued, optional, numeric: true });
}
