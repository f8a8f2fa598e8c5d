/**
 * Names of environment variables. A variable set before a command is the command's input as much as its words are:
 * many of them name programs, libraries or start-up files.
 */

const INERT = /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CI|NODE_ENV)$/;

/** Names whose value a person may see in any terminal. */
const SHOWN =
  /^(?:HOME|PWD|OLDPWD|USER|LOGNAME|PATH|SHELL|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|TERM|COLORTERM|TMPDIR|EDITOR|VISUAL|PAGER|COLUMNS|LINES|BASH_VERSION|BASHPID|PIPESTATUS|FUNCNAME|LINENO|RANDOM|SECONDS|EPOCHSECONDS|EPOCHREALTIME|VIRTUAL_ENV|CONDA_PREFIX|CONDA_DEFAULT_ENV|JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|NVM_DIR|XDG_[A-Z_]+|DISPLAY|REPLY|OPTARG|OPTIND|IFS|PS[1-4])$/;

/** Names that change what runs, or what programs read before they start, wherever they are set. */
const STEERING =
  /^(?:PATH|IFS|ENV|CDPATH|HOME|SHELL|SHELLOPTS|GLOBIGNORE|HISTFILE|HISTCMD|MAIL|MAILPATH|MAILCHECK|EXECIGNORE|FIGNORE|FUNCNEST|INPUTRC|TIMEFORMAT|POSIXLY_CORRECT|OPTIND|PS[0-4]|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|BROWSER|TMPDIR|TMP|TEMP|TERM|TERMINFO|TERMCAP|DISPLAY|CC|CXX|CPP|LD|AR|AS|NM|MAKE|MAKEFLAGS|MFLAGS|COMPOSE_FILE|KUBECONFIG|PREFIX|DESTDIR)$|^(?:BASH|LD_|DYLD_|GIT_|SSH_|SUDO_|GPG|NODE_|NPM_|YARN_|PNPM_|BUN_|DENO_|PYTHON|PIP_|UV_|POETRY_|VIRTUAL_ENV|CONDA|PERL|RUBY|GEM_|BUNDLE_|JAVA|JDK|_JAVA|MAVEN|GRADLE|CLASSPATH|GO[A-Z]|CARGO|RUST|CGO_|LESS|MAN|GREP_|RIPGREP|JQ_|AWK|FZF_|DOCKER_|AWS_|GCP_|GOOGLE_|AZURE_|GH_|GITHUB_|ANTHROPIC_|OPENAI_|CLAUDE|MUSTER|CURL_|WGET|GCC_|GLIBC_|MALLOC_|LOCPATH|NLSPATH|HOSTALIASES|RES_|TMUX|VSCODE_|ELECTRON_|XDG_|QT_|GTK_|PHP|LUA_|VIM|EMACS)|PROXY$|_PATH$|PATH$|_OPTS$|_OPTIONS$|_FLAGS$|FLAGS$|_CONFIG$|RC$|_HOME$|_PRELOAD$|_STARTUP$|_COMMAND$|_HOOK$|_SHELL$|_PROGRAM$|_WRAPPER$/;

/** Whether the variable may be set before an allowed command without changing what was allowed. */
export function isInertVariable(name: string, program?: string): boolean {
  return INERT.test(name) || (name === "IFS" && program === "read");
}

/** Whether the variable is known to change what runs. */
export function isSteeringVariable(name: string): boolean {
  return STEERING.test(name) && !isInertVariable(name);
}

/** Whether a script may set the variable for itself. Lower-case names are the script's own, but for those of proxies. */
export function isOwnVariable(name: string, exported: boolean): boolean {
  if (isInertVariable(name)) return true;
  if (/^[a-z_][a-z0-9_]*$/.test(name)) return !/_proxy$/.test(name);
  return !exported && !STEERING.test(name);
}

/** Whether the value of an environment variable may be printed: what is not known may be a key. */
export function isShownVariable(name: string): boolean {
  if (INERT.test(name) || SHOWN.test(name) || /^[@*#?$!_\d-]/.test(name)) return true;
  return /^[a-z][a-z0-9_]*$/.test(name) && !/_proxy$/.test(name);
}
