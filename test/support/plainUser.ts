/** The user "nobody" of Linux; any that owns nothing would do. */
const NOBODY = 65_534;

/** Runs `job` as a user whom the mode of a file binds. Tests may run as root, whom it does not. */
export async function asPlainUser<T>(job: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return await job();
  process.seteuid?.(NOBODY);
  try {
    return await job();
  } finally {
    process.seteuid?.(0);
  }
}
