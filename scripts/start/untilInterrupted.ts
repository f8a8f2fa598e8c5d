/**
 * Waits until `ended` settles or the person interrupts (Ctrl-C, SIGTERM, SIGHUP), then runs `stop`. Never leaves what
 * was started behind.
 */
export async function untilInterrupted(ended: Promise<unknown>, stop: () => Promise<void>): Promise<void> {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  let onSignal: () => void = () => undefined;
  const interrupted = new Promise<void>((resolve) => {
    onSignal = resolve;
  });
  for (const signal of signals) process.on(signal, onSignal);
  try {
    await Promise.race([ended, interrupted]);
    await stop();
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}
