import { memberEnvironment } from "../memberEnvironment.ts";

/** The program that a process teammate runs. */
export interface TeammateProgram {
  /** Program and first arguments; the flags of the contract follow. */
  argv: readonly string[];
  /** Muster itself: it gets a spawn file, and says when it is ready. */
  isOwn: boolean;
  /** Whether it knows `--lead-verify-key`. */
  isSigned: boolean;
  /** Its environment, without keys. */
  env: Readonly<Record<string, string>>;
}

/** What a teammate's program gets of its host. `root`: the state root; `env`: the host's own environment. */
interface Surroundings {
  root: string;
  env: NodeJS.ProcessEnv;
}

/**
 * A teammate waits most of its time: room for young objects that it does not need (16 MB by default) would stay taken.
 * The same time until its first request. One started by hand, without it, only takes more.
 */
const NODE_OPTIONS = ["--max-semi-space-size=1"];
/** glibc keeps memory for each of Node's ten threads; nearly all that a teammate allocates is its main thread's. */
const ALLOCATOR = { MALLOC_ARENA_MAX: "1" };

/** Muster's own command line as a teammate's program: `node` runs the file `muster.mjs`. */
export function ownProgram(node: string, file: string, { root, env }: Surroundings): TeammateProgram {
  // the host's Node may be Electron, which has to be told that it is to be Node
  const electron = process.versions["electron"] === undefined ? {} : { ELECTRON_RUN_AS_NODE: "1" };
  const own = { ...memberEnvironment(env), ...ALLOCATOR, CLAUDE_CONFIG_DIR: root, ...electron };
  return { argv: [node, ...NODE_OPTIONS, file, "teammate"], isOwn: true, isSigned: true, env: own };
}

/** Another program that knows the flags of the reference's teammates. It is started without a shell. */
export function foreignProgram(command: string, isSigned: boolean, { root, env }: Surroundings): TeammateProgram {
  const marks = { CLAUDECODE: "1", CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: "1" }; // as the reference sets them
  return {
    argv: [command],
    isOwn: false,
    isSigned,
    env: { ...memberEnvironment(env), CLAUDE_CONFIG_DIR: root, ...marks },
  };
}
