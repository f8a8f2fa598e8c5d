/** A promise that is settled from outside. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Makes an unsettled promise with its two ends. */
export function deferred<T>(): Deferred<T> {
  return Promise.withResolvers<T>();
}
