import { type OptionTable, optionTable } from "./shell/options.ts";

/**
 * Programs that run the program named in their arguments. `transparent`: an allow rule for the inner command is enough,
 * because nothing about it changes. `skip`: operands before the inner command. `assigns`: `NAME=value` may stand before
 * it. `script`: options whose value is shell text. `joins`: the inner words are joined to shell text. `appends`: the inner
 * command gets further words that are not known.
 */
export interface Wrapper {
  options: OptionTable;
  transparent?: boolean;
  skip?: number;
  assigns?: boolean;
  script?: readonly string[];
  joins?: boolean;
  appends?: boolean;
}

/** Programs whose options are known, by name. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    "timeout",
    {
      transparent: true,
      skip: 1,
      options: optionTable({
        flags: "-pfv --preserve-status --foreground --verbose",
        valued: "-ks --kill-after --signal",
      }),
    },
  ],
  [
    "time",
    {
      transparent: true,
      options: optionTable({ flags: "-pvq --portability --verbose --quiet", valued: "-f --format" }),
    },
  ],
  ["nice", { transparent: true, options: optionTable({ valued: "-n --adjustment", numeric: true }) }],
  ["nohup", { transparent: true, options: optionTable({}) }],
  ["stdbuf", { transparent: true, options: optionTable({ valued: "-ioe --input --output --error" }) }],
  [
    "env",
    {
      assigns: true,
      script: ["-S", "--split-string"],
      options: optionTable({
        flags: "-i0v --ignore-environment --null --debug -",
        valued: "-uCSa --unset --chdir --split-string --argv0",
        optional: "--block-signal --default-signal --ignore-signal",
      }),
    },
  ],
  ["command", { options: optionTable({ flags: "-p" }) }],
  ["builtin", { options: optionTable({}) }],
  ["exec", { options: optionTable({ flags: "-cl", valued: "-a" }) }],
  ["setsid", { options: optionTable({ flags: "-cfw --ctty --fork --wait" }) }],
  ["ionice", { options: optionTable({ flags: "-t --ignore", valued: "-cnpPu --class --classdata" }) }],
  [
    "chrt",
    {
      skip: 1,
      options: optionTable({
        flags: "-abdfimorRv --all-tasks --batch --deadline --fifo --idle --other --rr --reset-on-fork --verbose",
        valued: "-TPD",
      }),
    },
  ],
  ["taskset", { skip: 1, options: optionTable({ flags: "-ac --all-tasks --cpu-list" }) }],
  [
    "flock",
    {
      skip: 1,
      script: ["-c", "--command"],
      options: optionTable({
        flags: "-senuxoF --shared --exclusive --nonblock --nb --unlock --close --no-fork --verbose",
        valued: "-cwE --command --timeout --wait --conflict-exit-code",
      }),
    },
  ],
  [
    "sudo",
    {
      assigns: true,
      options: optionTable({
        flags:
          "-AbBEHKkNnPSsi --askpass --background --preserve-env --set-home --login --non-interactive --stdin --shell",
        valued: "-CDghpRrTtuU --user --group --chdir --chroot --host --prompt --role --type --close-from --other-user",
        optional: "--preserve-env",
      }),
    },
  ],
  ["doas", { options: optionTable({ flags: "-Lns", valued: "-aCu" }) }],
  [
    "watch",
    {
      joins: true,
      options: optionTable({
        flags: "-bcCdegprtwx --beep --color --no-color --differences --errexit --chgexit --precise --no-title --exec",
        valued: "-nq --interval --equexit",
      }),
    },
  ],
  [
    "xargs",
    {
      appends: true,
      options: optionTable({
        flags: "-0oprtx --null --no-run-if-empty --verbose --interactive --exit --open-tty",
        valued:
          "-adEILnPs --arg-file --delimiter --replace --max-lines --max-args --max-procs --max-chars --process-slot-var",
        optional: "-e -i -l",
      }),
    },
  ],
  [
    "unshare",
    {
      options: optionTable({
        flags:
          "-cCfimnprTuUr --fork --mount --uts --ipc --net --pid --user --cgroup --time --map-root-user --map-current-user --mount-proc --keep-caps --map-auto",
        valued: "-GRSw --root --wd --setgid --setuid --propagation --map-user --map-group",
      }),
    },
  ],
  ["busybox", { options: optionTable({}) }],
  ["toybox", { options: optionTable({}) }],
  ["coreutils", { options: optionTable({}) }],
  ["strace", { options: optionTable({ flags: "-cCDfFhiknNqrtTvVwxyYzZ", valued: "-abeEIoOpPsSuUX" }) }],
  ["ltrace", { options: optionTable({ flags: "-bcCfFhiLrStTV", valued: "-aADelnopsuwx" }) }],
  [
    "script",
    {
      script: ["-c", "--command"],
      options: optionTable({
        flags: "-aefqV --append --return --flush --force --quiet",
        valued: "-BcEIOTmot --command --log-in --log-out --log-io --log-timing --echo --output-limit --timing",
      }),
    },
  ],
  [
    "chroot",
    {
      skip: 1,
      options: optionTable({ flags: "--skip-chdir", valued: "--groups --userspec", optional: "--groups --userspec" }),
    },
  ],
  [
    "nsenter",
    {
      options: optionTable({
        flags: "-aCeFimnpruTUwZ --all --no-fork --preserve-credentials",
        valued: "-tSGW --target --setuid --setgid",
        optional: "--mount --uts --ipc --net --pid --user --root --wd",
      }),
    },
  ],
  [
    "setpriv",
    {
      options: optionTable({
        flags: "--clear-groups --keep-groups --init-groups --no-new-privs --reset-env",
        valued: "--reuid --regid --groups --inh-caps --bounding-set --securebits",
      }),
    },
  ],
  ["prlimit", { options: optionTable({ valued: "-p" }) }],
  [
    "systemd-run",
    {
      options: optionTable({
        flags: "-dGPqrtS --user --system --scope --pty --pipe --quiet --wait --collect --shell",
        valued: "-EHMpu --unit --property --description --slice --uid --gid --setenv --working-directory",
      }),
    },
  ],
  ["dbus-run-session", { options: optionTable({}) }],
  ["xvfb-run", { options: optionTable({ flags: "-a --auto-servernum", valued: "-efnpsw" }) }],
  ["unbuffer", { options: optionTable({ flags: "-p" }) }],
  ["rlwrap", { options: optionTable({ flags: "-aAcnNrRvwX", valued: "-bCDefFgHilmMopPqsStTz" }) }],
  ["fakeroot", { options: optionTable({ flags: "-u", valued: "-ils" }) }],
  ["faketime", { skip: 1, options: optionTable({ flags: "-fm" }) }],
  ["valgrind", { options: optionTable({}) }],
  ["numactl", { options: optionTable({ valued: "-CimNp" }) }],
  ["pkexec", { options: optionTable({ valued: "--user" }) }],
  ["gosu", { skip: 1, options: optionTable({}) }],
  ["su-exec", { skip: 1, options: optionTable({}) }],
  ["tini", { options: optionTable({ flags: "-gsvw" }) }],
  ["dumb-init", { options: optionTable({ flags: "-cv" }) }],
  ["firejail", { options: optionTable({}) }],
  ["bwrap", { options: optionTable({}) }],
  ["proxychains", { options: optionTable({ flags: "-q", valued: "-f" }) }],
  ["torsocks", { options: optionTable({}) }],
  ["caffeinate", { options: optionTable({ flags: "-dimsu", valued: "-tw" }) }],
  ["arch", { options: optionTable({ flags: "=-arm64 =-x86_64", valued: "-de" }) }],
]);

/**
 * Programs that may run what their arguments name, in forms too many to tell apart. They are looked into for deny and ask
 * rules only. The number says how many operands stand before the inner command.
 */
export const LOOSE: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "uv run": 0,
    "poetry run": 0,
    "pipenv run": 0,
    "pdm run": 0,
    "hatch run": 0,
    "rye run": 0,
    "bundle exec": 0,
    "conda run": 0,
    "mamba run": 0,
    "direnv exec": 1,
    "mise exec": 0,
    "asdf exec": 0,
    "rbenv exec": 0,
    "pyenv exec": 0,
    "npm exec": 0,
    "npm x": 0,
    "npm explore": 1,
    "pnpm exec": 0,
    "pnpm dlx": 0,
    "yarn exec": 0,
    "yarn dlx": 0,
    "bun x": 0,
    "pipx run": 0,
    "docker run": 1,
    "docker exec": 1,
    "podman run": 1,
    "podman exec": 1,
    "kubectl exec": 1,
    "nix run": 1,
    "nix develop": 0,
    "perf record": 0,
    "perf stat": 0,
    "op run": 0,
    "doppler run": 0,
    "dotenv run": 0,
    "tmux new-session": 0,
    "tmux new-window": 0,
    "tmux split-window": 0,
    npx: 0,
    bunx: 0,
    uvx: 0,
    ssh: 1,
    su: 1,
    runuser: 0,
    parallel: 0,
    entr: 0,
    screen: 0,
    gdb: 0,
    lldb: 0,
    dotenv: 0,
    "dotenv-cli": 0,
    "cross-env": 0,
    concurrently: 0,
    "with-contenv": 0,
    winpty: 0,
    wsl: 0,
    setarch: 1,
    linux64: 0,
    linux32: 0,
    catchsegv: 0,
  }),
);

/** The loader of shared libraries, given a program. */
export const LOADER = /^ld(?:64|-linux|-musl)?[\w.-]*\.so[\d.]*$/;
