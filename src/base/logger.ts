/** Log port of a host. Messages are sentences; `detail` is appended as it is. Secrets never go in. */
export interface Logger {
  debug(message: string, detail?: unknown): void;
  info(message: string, detail?: unknown): void;
  warn(message: string, detail?: unknown): void;
  error(message: string, detail?: unknown): void;
}

/** Discards everything. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** A logger that puts `prefix` before every message. */
export function prefixed(logger: Logger, prefix: () => string): Logger {
  return {
    debug: (message, detail) => logger.debug(`${prefix()} ${message}`, detail),
    info: (message, detail) => logger.info(`${prefix()} ${message}`, detail),
    warn: (message, detail) => logger.warn(`${prefix()} ${message}`, detail),
    error: (message, detail) => logger.error(`${prefix()} ${message}`, detail),
  };
}
