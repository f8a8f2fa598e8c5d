/** Runs the jobs of one key one after another, in order of asking; different keys run side by side. */
export class SerialQueue {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** Runs `job` after every earlier job of `key`; settles as `job` does. */
  run<T>(key: string, job: () => Promise<T>): Promise<T> {
    const previous = this.tails.get(key) ?? Promise.resolve();
    const current = previous.then(job, job);
    this.tails.set(key, current);
    const forget = () => {
      if (this.tails.get(key) === current) this.tails.delete(key);
    };
    current.then(forget, forget);
    return current;
  }

  /** Resolves when no job is left, those that are asked for meanwhile included. */
  async idle(): Promise<void> {
    while (this.tails.size > 0) await Promise.allSettled(this.tails.values());
  }
}
