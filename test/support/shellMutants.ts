/**
 * Shell commands that run a denied program in some disguise, and commands that only mention it: random, but the same for
 * the same seed. Words of the disguises are those that people have found to slip past hand-made parsers.
 */

/** A number from 0 (inclusive) to 1. */
export type Random = () => number;

/** A command made at random. */
export interface Mutant {
  command: string;
  /** By construction it runs nothing that is denied. */
  harmless: boolean;
}

/** Denied commands; the stubs of these programs touch the canary (`git` and `npm` only with the second word). */
export const DENY_RULES = ["Bash(wreck *)", "Bash(git push *)", "Bash(npm publish *)"];

const DENIED = [
  ["wreck"],
  ["wreck", "a"],
  ["wreck", "-rf", "x"],
  ["git", "push"],
  ["git", "push", "origin", "main"],
  ["npm", "publish"],
];

/** Mulberry32: small, and good enough to pick from lists. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The next mutant; a quarter of them is harmless. `stubs`: the folder of the denied programs. */
export function nextMutant(random: Random, stubs: string): Mutant {
  if (random() < 0.25) return { command: harmlessCommand(random), harmless: true };
  let command = disguisedCommand(random, stubs);
  for (let depth = Math.floor(random() * 4); depth > 0; depth -= 1) {
    const next = pick(random, WRAPS)(command, random);
    if (next.length < 1500) command = next;
  }
  return { command: random() < 0.2 ? withNoise(command, random) : command, harmless: false };
}

/** A few characters more or less: where a parser and the shell disagree, that is the place. */
function withNoise(command: string, random: Random): string {
  let text = command;
  for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) {
    const at = Math.floor(random() * text.length);
    text =
      random() < 0.3
        ? text.slice(0, at) + text.slice(at + 1)
        : text.slice(0, at) + pick(random, NOISE) + text.slice(at);
  }
  return text;
}

const NOISE = [
  "'", '"', "`", "$(", ")", "(", "{", "}", "\n", ";", "&", "|", "<", "<<<", ">", ">&", "&>", "$", "${", "\\", "\\\n", "#",
  " # ", "!", "=", "[", "]", "[[", "]]", "((", "))", "*", "?", "~", "$'", "if ", "then ", "fi", "do ", "done", ";;", "f() ",
  "time ", "<<E\n", "\nE\n", "{a,", "-", " wreck ", "eval ", "<(", ">(", "$@", "${x@P}",
]; // biome-ignore format: a list of words

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)] as T;
}

function disguisedCommand(random: Random, stubs: string): string {
  const base = pick(random, DENIED);
  if (random() < 0.12) return wholeDisguise(base, random);
  const words = random() < 0.3 ? withOptions(base, random) : base;
  const preludes: string[] = [];
  const texts = words.map((word, index) => {
    if (random() < 0.45) return word;
    if (index === 0 && random() < 0.1) return pick(random, [`${stubs}/${word}`, `${stubs}/${word.slice(0, -1)}?`]);
    const { text, prelude } = pick(random, DISGUISES)(word, `v${index}`, random);
    if (prelude) preludes.push(prelude);
    return text;
  });
  const blank = (): string => pick(random, [" ", " ", " ", "  ", "\t", " \\\n"]);
  const joint = pick(random, ["; ", "\n", " && "]);
  return [...preludes, texts.reduce((all, text) => all + blank() + text)].join(joint);
}

function withOptions(words: readonly string[], random: Random): string[] {
  const [program = "", ...rest] = words;
  const options: Record<string, string[]> = {
    git: ["--no-pager", "-C .", "-c a.b=c", "-P", "--git-dir=.git", "--literal-pathspecs"],
    npm: ["--silent", "--loglevel error", "-d", "--prefix ."],
    wreck: ["--", "-v", "--force", "-x y"],
  };
  return [program, ...pick(random, options[program] ?? [""]).split(" "), ...rest];
}

/** The whole command through a variable, an array or the positional parameters. */
function wholeDisguise(words: readonly string[], random: Random): string {
  const text = words.join(" ");
  return pick(random, [
    `x='${text}'; $x`,
    `x='${text}'\neval $x`,
    `x=(${text}); "\${x[@]}"`,
    `x=(${text}); \${x[*]}`,
    `IFS=,; x=${words.join(",")}; $x`,
    `set -- ${text}; "$@"`,
    `set -- ${text}; $*`,
    `read -r x <<< '${text}'; $x`,
    `read -ra x <<< '${text}'; "\${x[@]}"`,
    `mapfile -t x <<< '${words[0]}'; \${x[0]} ${words.slice(1).join(" ")}`,
    `printf -v x %s '${text}'; $x`,
    `declare x='${text}'; $x`,
    `export x='${text}'; bash -c '$x'`,
    `a=x; x='${text}'; \${!a}`,
    `declare -n a=x; x='${text}'; $a`,
    `{${words.join(",")},}`,
    `x=$(echo ${text}); $x`,
    `x=\`echo ${text}\`; $x`,
    `\${zz:-${text}}`,
    `: \${x:=${text}}; $x`,
    `for x in '${text}'; do $x; done`,
    `for x in ${words[0]}; do $x ${words.slice(1).join(" ")}; done`,
    `for ((i=0;i<1;i++)); do ${text}; done`,
    `$(printf '%s ' ${text})`,
    `x='${text}' bash -c '$x'`,
    `f() { "$@"; }; f ${text}`,
    `case ${words[0]} in *) ${text};; esac`,
    `hash -p "$(command -v ${words[0]})" zz; zz ${words.slice(1).join(" ")}`,
    `shopt -s expand_aliases\nalias zz='${text}'\nzz`,
  ]);
}

/** Ways to write one word; the shell makes the word of each of them again. */
const DISGUISES: readonly ((word: string, name: string, random: Random) => { text: string; prelude?: string })[] = [
  (word) => ({ text: `'${word}'` }),
  (word) => ({ text: `"${word}"` }),
  (word, _, random) => ({ text: split(word, random, (a, b) => `${a}''${b}`) }),
  (word, _, random) => ({ text: split(word, random, (a, b) => `${a}""${b}`) }),
  (word, _, random) => ({ text: split(word, random, (a, b) => `'${a}'"${b}"`) }),
  (word, _, random) => ({ text: split(word, random, (a, b) => `${a}\\${b}`) }),
  (word, _, random) => ({ text: split(word, random, (a, b) => `${a}\\\n${b}`) }),
  (word, _, random) => ({ text: split(word, random, (a, b) => `${a}$zz${b}`.replace(/\$zz(\w)/, "${zz}$1")) }),
  (word, _, random) => ({ text: split(word, random, (a, b) => `${a}$@${b}`) }),
  (word, _, random) => ({ text: split(word, random, (a, b) => `${a}$(:)${b}`) }),
  (word, _, random) => ({ text: split(word, random, (a, b) => `${a}\`\`${b}`) }),
  (word, _, random) => ({ text: split(word, random, (a, b) => `${a}$'${b}'`) }),
  (word, _, random) => ({ text: split(word, random, (a, b) => `${a}$"${b}"`) }),
  (word) => ({ text: `$'${[...word].map((char) => `\\x${char.charCodeAt(0).toString(16)}`).join("")}'` }),
  (word) => ({
    text: `$'${[...word].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`).join("")}'`,
  }),
  (word) => ({ text: `$(echo ${word})` }),
  (word) => ({ text: `"$(printf %s ${word})"` }),
  (word) => ({ text: `\`echo ${word}\`` }),
  (word) => ({ text: `$(echo ${[...word].reverse().join("")} | rev)` }),
  (word) => ({ text: `\${zz:-${word}}` }),
  (word) => ({ text: `"\${zz-${word}}"` }),
  (word, name) => ({ prelude: `${name}=${word}`, text: `$${name}` }),
  (word, name) => ({ prelude: `${name}='${word}'`, text: `"\${${name}}"` }),
  (word, name) => ({ prelude: `${name}=${word}zz`, text: `\${${name}%zz}` }),
  (word, name) => ({ prelude: `${name}=${word.toUpperCase()}`, text: `\${${name},,}` }),
  (word, name) => ({ prelude: `${name}=zz${word}`, text: `\${${name}:2}` }),
  (word, name) => ({ prelude: `${name}=${word.replace(/^./, "Q")}`, text: `\${${name}/Q/${word[0]}}` }),
  (word, name) => ({ prelude: `${name}=(zz ${word})`, text: `\${${name}[1]}` }),
  (word, name) => ({ prelude: `read ${name} <<< ${word}`, text: `$${name}` }),
  (word, name) => ({ prelude: `printf -v ${name} %s ${word}`, text: `$${name}` }),
  (word) => ({ text: `{${word},}` }),
  (word, _, random) => ({ text: split(word, random, (a, b) => `${a}{${b},}`) }),
];

function split(word: string, random: Random, join: (start: string, end: string) => string): string {
  const at = 1 + Math.floor(random() * Math.max(1, word.length - 1));
  return join(word.slice(0, at), word.slice(at));
}

type Wrap = (command: string, random: Random) => string;

/** A text as one word. */
const Q: Wrap = (text, random) =>
  pick(random, [
    `'${text.replaceAll("'", `'\\''`)}'`,
    `"${text.replace(/[\\"$`]/g, "\\$&")}"`,
    `$'${text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}'`,
  ]);

const BEFORE = [
  "FOO=bar", "A+=b", "LC_ALL=C TZ=UTC", "X=$(true)", "PATH=$PATH", "a=(1 2)", "NODE_ENV=test", "IFS=x",
  "command", "command --", "builtin command", "exec", "exec -a x", "nohup", "nice", "nice -n 5", "nice -5", "timeout 5",
  "timeout -k 1 5", "timeout --signal=KILL 5s", "time", "time -p", "stdbuf -oL", "setsid", "setsid -w", "ionice -c3",
  "chrt -o 0", "taskset 1", "flock lock", "flock -n lock", "env", "env A=1", "env -u X", "env --", "env -i PATH=\"$PATH\"",
  "echo x | xargs -n1", "echo | xargs", "xargs -a /dev/null -I{}", "find . -maxdepth 0 -exec", "!", "coproc", "busybox",
  "time command env nice", "\\\n", ">out", "2>&1", "{fd}>out", "</dev/null", "true &&", "false ||", "echo hi;", "echo hi\n",
  "echo hi &", "echo hi |", "# x\n", ":;", "if true; then :; fi;",
]; // biome-ignore format: a list of words

const WRAPS: readonly Wrap[] = [
  ...BEFORE.map(
    (prefix): Wrap =>
      (command) =>
        prefix.startsWith("find") ? `${prefix} ${command} \\;` : `${prefix} ${command}`,
  ),
  ...["& wait", "; :", " && :", " || :", " | cat", " |& cat", " # x", " >out", " >/dev/null 2>&1", " <<< x", "\n"].map(
    (suffix): Wrap =>
      (command) =>
        command + suffix,
  ),
  (command) => `( ${command} )`,
  (command) => `{ ${command}\n}`,
  (command) => `if ${command}\nthen :; fi`,
  (command) => `if true; then ${command}\nfi`,
  (command) => `while ${command}\ndo break; done`,
  (command) => `for i in 1; do ${command}\ndone`,
  (command) => `case x in x) ${command}\n;; esac`,
  (command) => `f() { ${command}\n}; f`,
  (command) => `function f { ${command}\n}\nf`,
  (command) => `f() ( ${command}\n); f`,
  (command) => `: $(${command}\n)`,
  (command) => `echo "$(${command}\n)"`,
  (command) => `x=$(${command}\n)`,
  (command) => `: \${zz:-$(${command}\n)}`,
  (command) => `: "\${zz:=$(${command}\n)}"`,
  (command) => `echo $((1+$(${command}\necho 1)))`,
  (command) => `a[$(${command}\necho 0)]=1`,
  (command) => `[[ -n $(${command}\n) ]]`,
  (command) => `[ -z "$(${command}\n)" ]`,
  (command) => `for i in $(${command}\n); do :; done`,
  (command) => `case $(${command}\n) in *) :;; esac`,
  (command) => `cat <(${command}\n)`,
  (command) => `echo > >(${command}\n); wait`,
  (command) => `cat <<E\n$(${command}\n)\nE`,
  (command) => `cat <<< "$(${command}\n)"`,
  (command) => (/[`\\]/.test(command) ? `: ${command}` : `: \`${command}\``),
  (command, random) => `bash -c ${Q(command, random)}`,
  (command, random) => `bash -ec ${Q(command, random)}`,
  (command, random) => `bash --norc -c ${Q(command, random)} a b`,
  (command, random) => `sh -c ${Q(command, random)}`,
  (command, random) => `eval ${Q(command, random)}`,
  (command) => `eval ${command}`,
  (command, random) => `trap ${Q(command, random)} EXIT`,
  (command, random) => `bash <<< ${Q(command, random)}`,
  (command) => `bash <<'E'\n${command}\nE`,
  (command) => `bash <<E\n${command.replace(/[\\$`]/g, "\\$&")}\nE`,
  (command, random) => `echo ${Q(command, random)} | bash`,
  (command, random) => `printf '%s\\n' ${Q(command, random)} | sh`,
  (command, random) => `bash <(printf %s ${Q(command, random)})`,
  (command, random) => `. /dev/stdin <<< ${Q(command, random)}`,
  (command, random) => `source <(printf %s ${Q(command, random)})`,
  (command, random) => `env -S ${Q(command, random)}`,
  (command, random) => `find . -maxdepth 0 -exec bash -c ${Q(command, random)} \\;`,
  (command, random) => `echo x | xargs -I{} bash -c ${Q(command, random)}`,
  (command, random) => `flock lock -c ${Q(command, random)}`,
  (command, random) => `script -qec ${Q(command, random)} /dev/null`,
  (command, random) => `x=${Q(command, random)}; eval "$x"`,
  (command, random) => `x=${Q(command, random)} bash -c 'eval "$x"'`,
  (command, random) => `perl -e ${Q(`system(q{${command}})`, random)}`,
  (command, random) => `python3 -c ${Q(`import os; os.system(${JSON.stringify(command)})`, random)}`,
  (command, random) =>
    `awk ${Q(`BEGIN{system("${command.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}")}`, random)}`,
  (command, random) => `sed ${Q(`1e ${command.replaceAll("\n", "; ")}`, random)} <<< x`,
  (command, random) => `test -v ${Q(`a[$(${command}\n)]`, random)}`,
  (command, random) => `[ -v ${Q(`a[$(${command}\n)]`, random)} ]`,
  (command, random) => `printf -v ${Q(`a[$(${command}\n)]`, random)} x`,
  (command, random) => `read -r ${Q(`a[$(${command}\n)]`, random)} <<< 1`,
  (command, random) => `unset ${Q(`a[$(${command}\n)]`, random)}`,
  (command, random) => `let ${Q(`a[$(${command}\n)]=1`, random)}`,
  (command, random) => `declare -i x=${Q(`a[$(${command}\n)]`, random)}`,
  (command, random) => `x=${Q(`a[$(${command}\n)]`, random)}; echo $((x))`,
  (command, random) => `x=${Q(`a[$(${command}\n)]`, random)}; [[ x -eq 1 ]]`,
  (command, random) => `x=${Q(`a[$(${command}\n)]`, random)}; echo "\${y:x}"`,
  (command, random) => `x=${Q(`$(${command}\n)`, random)}; : "\${x@P}"`,
  (command, random) => `PS4=${Q(`$(${command}\n)`, random)}; set -x; :`,
  (command, random) => `mapfile -C ${Q(`${command} #`, random)} -c 1 z <<< x`,
  (command, random) => `compgen -C ${Q(command, random)}`,
  (command, random) => `BASH_ENV=<(printf %s ${Q(command, random)}) bash -c :`,
  (command, random) => `git -c alias.zz=${Q(`!${command}`, random)} zz`,
];

/** Commands that read, or that speak of what is denied. */
const HARMLESS = [
  "echo wreck x",
  "echo 'wreck; git push'",
  'echo "npm publish && wreck"',
  "printf '%s\\n' wreck",
  "printf 'git push\\n'",
  "grep -n wreck a.txt",
  "grep -rn 'git push' .",
  "grep -c 'npm publish' package.json",
  "cat <<'E'\nwreck x\n$(wreck)\nE",
  "cat <<E\ngit push\nE",
  "cat wreck.txt",
  "ls wreck",
  "ls -la",
  "test -f wreck",
  "[ -d wreck ]",
  "git log --grep=push --oneline",
  "git log --oneline -5",
  "git status --short",
  "git diff --stat",
  "git branch --show-current",
  "wc -l a.txt",
  "sort -u a.txt",
  "head -5 wreck.log",
  "tail -n 3 a.txt",
  "find . -name 'wreck*' -type f",
  "find . -maxdepth 2 -type d",
  "sed -n '1,5p' a.txt",
  "sed 's/wreck/mend/g' a.txt",
  "awk '{print $1}' a.txt",
  "awk '/wreck/ {print $2}' a.txt",
  "jq '.publish' package.json",
  "rg -n wreck",
  "cut -d: -f1 a.txt",
  "basename /x/wreck",
  "date +%F",
  "seq 1 3",
  "pwd",
  "true",
  "command -v wreck",
  "type wreck",
  "diff a.txt b.txt",
  "stat wreck",
  "uniq -c a.txt",
  "tr a-z A-Z <<< wreck",
];

const SIMPLE_WRAPS: readonly Wrap[] = [
  (command) => `timeout 5 ${command}`,
  (command) => `nice -n 5 ${command}`,
  (command) => `nohup ${command}`,
  (command) => `LC_ALL=C ${command}`,
  (command) => `NO_COLOR=1 TZ=UTC ${command}`,
  (command) => `time ${command}`,
  (command, random) => requoted(command, random),
  (command, random) => requoted(command, random),
];

const HARMLESS_WRAPS: readonly Wrap[] = [
  (command, random) => `${command}\n${pick(random, HARMLESS)}`,
  (command, random) => (command.includes("<<") ? `true\n${command}` : `${command} && ${pick(random, HARMLESS)}`),
  (command, random) =>
    command.includes("<<")
      ? `true\n${command}`
      : `${command} | ${pick(random, ["head -5", "wc -l", "sort | uniq -c", "grep -v wreck"])}`,
  (command) => `( ${command}\n)`,
  (command) => `{ ${command}\n}`,
  (command) => `if ${command}\nthen echo yes; fi`,
  (command) => `for f in a b; do ${command}\ndone`,
  (command) => `echo "$(${command}\n)"`,
  (command) => `${command}\n# wreck it\necho done`,
  (command) => `! ${command}`,
  (command) => (command.includes("<<") ? `echo ok\n${command}` : `${command} 2>/dev/null`),
  (command) => (command.includes("<<") ? `echo ok\n${command}` : `${command} >/dev/null 2>&1 || true`),
  (command) => `while read -r l; do echo "$l wreck"; done < a.txt\n${command}`,
  (command) => `case wreck in w*) ${command}\n;; esac`,
];

function harmlessCommand(random: Random): string {
  let command = pick(random, HARMLESS);
  if (random() < 0.6) command = pick(random, SIMPLE_WRAPS)(command, random);
  for (let depth = Math.floor(random() * 3); depth > 0; depth -= 1)
    command = pick(random, HARMLESS_WRAPS)(command, random);
  return command;
}

/** The same command with other quotes around its plain words. */
function requoted(command: string, random: Random): string {
  if (/['"\\\n$]/.test(command)) return command;
  const words = command.split(" ");
  return words
    .map((word) => {
      if (!/^[\w./-]+$/.test(word)) return word;
      return pick(random, [word, `'${word}'`, `"${word}"`, `${word}""`, `\\${word}`, `$'${word}'`]);
    })
    .join(" ");
}
