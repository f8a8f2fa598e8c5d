import path from "node:path";

/**
 * The environment of the members' commands: of a host's own only the variables that are known to hold no secret. Keys and
 * tokens have too many names to be left out one by one. Addresses with a password in them are left out as well (those of
 * proxies may be written without a scheme), and so are folders of PATH that depend on where a command runs: a project
 * could bring a `git` of its own along.
 */
export function memberEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || !isAllowed(name) || CREDENTIALS.test(value)) return [];
    if (/_PROXY$/i.test(name) && value.includes("@")) return [];
    return [[name, /^path$/i.test(name) ? absoluteFolders(value) : value] as const];
  });
  return Object.fromEntries(kept);
}

function isAllowed(name: string): boolean {
  return ALLOWED.has(name.toUpperCase()) || /^LC_[A-Z]+$/.test(name);
}

function absoluteFolders(value: string): string {
  const folders = value.split(path.delimiter);
  return folders.filter((folder) => path.isAbsolute(folder)).join(path.delimiter);
}

/** An address with a user name or password: `http://user:secret@proxy`. */
const CREDENTIALS = /\/\/[^/\s@]+@/;

/** Names in capitals; proxies and npm write theirs in small letters. */
const ALLOWED: ReadonlySet<string> = new Set([
  // the person and the place
  ..."HOME USER LOGNAME SHELL HOSTNAME PATH LANG LANGUAGE TZ TMPDIR TMP TEMP PWD TERM COLORTERM".split(" "),
  ..."NO_COLOR FORCE_COLOR CLICOLOR CI NODE_ENV DISPLAY WAYLAND_DISPLAY WSL_DISTRO_NAME CLAUDE_CONFIG_DIR".split(" "),
  ..."XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_DATA_DIRS XDG_CONFIG_DIRS".split(" "),
  // Windows
  ..."SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT OS PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432".split(" "),
  ..."COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) PROGRAMDATA ALLUSERSPROFILE PUBLIC APPDATA LOCALAPPDATA".split(" "),
  ..."USERPROFILE USERNAME USERDOMAIN COMPUTERNAME HOMEDRIVE HOMEPATH NUMBER_OF_PROCESSORS".split(" "),
  ..."PROCESSOR_ARCHITECTURE PROCESSOR_IDENTIFIER MSYSTEM CHERE_INVOKING".split(" "),
  // networks
  ..."HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS".split(" "),
  ..."REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO NIX_SSL_CERT_FILE DOCKER_HOST DOCKER_CONTEXT".split(" "),
  // where tools and their packages are
  ..."NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR FNM_MULTISHELL_PATH N_PREFIX NODE_PATH PNPM_HOME BUN_INSTALL DENO_DIR".split(
    " ",
  ),
  ..."NPM_CONFIG_CACHE NPM_CONFIG_PREFIX NPM_CONFIG_REGISTRY YARN_CACHE_FOLDER COREPACK_HOME".split(" "),
  ..."PLAYWRIGHT_BROWSERS_PATH PUPPETEER_EXECUTABLE_PATH CHROME_BIN CHROME_PATH ELECTRON_CACHE".split(" "),
  ..."CARGO_HOME CARGO_TARGET_DIR RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS".split(" "),
  ..."GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOFLAGS GOPROXY GOPRIVATE GOTOOLCHAIN CGO_ENABLED".split(" "),
  ..."JAVA_HOME JDK_HOME M2_HOME MAVEN_HOME GRADLE_HOME GRADLE_USER_HOME ANDROID_HOME ANDROID_SDK_ROOT KOTLIN_HOME".split(
    " ",
  ),
  ..."VIRTUAL_ENV PYENV_ROOT PYENV_VERSION PYTHONPATH PYTHONHOME POETRY_HOME PIPX_HOME UV_CACHE_DIR".split(" "),
  ..."CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_EXE CONDA_PYTHON_EXE MAMBA_ROOT_PREFIX".split(" "),
  ..."RBENV_ROOT RBENV_VERSION GEM_HOME GEM_PATH BUNDLE_PATH COMPOSER_HOME PERL5LIB MIX_HOME HEX_HOME".split(" "),
  ..."ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR SDKMAN_DIR HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY".split(" "),
  ..."NIX_PATH NIX_PROFILES DOTNET_ROOT DOTNET_CLI_HOME NUGET_PACKAGES FLUTTER_ROOT SWIFTLY_HOME_DIR".split(" "),
  // compilers
  ..."CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS CMAKE_PREFIX_PATH PKG_CONFIG_PATH CPATH".split(" "),
  ..."LIBRARY_PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH SDKROOT DEVELOPER_DIR".split(" "),
]);
