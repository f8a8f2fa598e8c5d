/**
 * Waits until `ended` settles or the person interrupts (Ctrl-C, SIGTERM, SIGHUP), then runs `stop`, so that nothing that
 * was started is left behind. Returns which of the two it was.
 */
export async function untilInterrupted(
  ended: Promise<unknown>,
  stop: () => Promise<void>,
): Promise<"ended" | "interrupted"> {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const { promise: interrupted, resolve } = Promise.withResolvers<"interrupted">();
  const onSignal = () => resolve("interrupted");
  for (const signal of signals) process.on(signal, onSignal);
  try {
    const how = await Promise.race([ended.then(() => "ended" as const), interrupted]);
    await stop();
    return how;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}
