// A tmux that knows only these verbs with these options, as the manual of tmux 3.2 documents them: everything else, among
// it typed keys (send-keys) and a second program for a pane (respawn-pane), is refused as an unknown command would be.
// What passes is done by the real tmux. Environment: REAL_TMUX its path, TMUX_LOG a file that gets one line a verb.
import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";

// Options without a value, then those with one.
const VERBS = {
  "attach-session": ["dErx", "cft"],
  "capture-pane": ["aepPqCJN", "bESt"],
  "display-message": ["aINpv", "cdt"],
  "if-shell": ["bF", "t"],
  "kill-pane": ["a", "t"],
  "list-panes": ["as", "Fft"],
  "new-session": ["AdDEPX", "ceFfnstxy"],
  "resize-pane": ["DLMRTUZ", "xyt"],
  "run-shell": ["bC", "dt"],
  "select-layout": ["Enop", "t"],
  "select-pane": ["DdeLlMmRUZ", "Tt"],
  "select-window": ["lnpT", "t"],
  "set-option": ["aFgopqsuUw", "t"],
  "show-environment": ["hgs", "t"],
  "split-window": ["bdfhIvPZ", "ceFlt"],
  "start-server": ["", ""],
};

const args = process.argv.slice(2);
const refuse = (why) => {
  process.stderr.write(`${why}\n`);
  process.exit(1);
};

let at = 0;
for (; args[at]?.startsWith("-"); at += 1) {
  if (args[at] === "-u") continue;
  if (!["-L", "-S", "-f"].includes(args[at])) refuse(`unknown option: ${args[at]}`);
  at += 1;
}
const commands = [[]];
for (const word of args.slice(at)) {
  if (word === ";") commands.push([]);
  else commands.at(-1).push(word);
}
for (const [verb, ...words] of commands) {
  const [flags, valued] = VERBS[verb] ?? refuse(`unknown command: ${verb}`);
  for (let index = 0; /^-./s.test(words[index] ?? "") && words[index] !== "--"; index += 1) {
    for (const [place, letter] of [...words[index].slice(1)].entries()) {
      if (valued.includes(letter)) {
        if (place === words[index].length - 2) index += 1;
        break;
      }
      if (!flags.includes(letter)) refuse(`command ${verb}: unknown flag -${letter}`);
    }
  }
  appendFileSync(process.env.TMUX_LOG ?? "/dev/null", `${verb}\n`);
}
const { status } = spawnSync(process.env.REAL_TMUX ?? "tmux", args, { stdio: "inherit" });
process.exit(status ?? 1);
