import type { Disposable } from "./disposable.ts";

/** Subscribe function of an event; the result ends the subscription. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Synchronous event source. Listeners run in order of subscription; one that throws does not stop the others. */
export class Emitter<T> implements Disposable {
  private listeners = new Set<(value: T) => void>();
  private readonly onError: (error: unknown) => void;

  /** `onError` gets what a listener throws; by default it is rethrown after all listeners ran. */
  constructor(onError?: (error: unknown) => void) {
    this.onError =
      onError ??
      ((error) =>
        queueMicrotask(() => {
          throw error;
        }));
  }

  readonly event: Event<T> = (listener) => {
    const entry = (value: T) => listener(value);
    this.listeners.add(entry);
    return { dispose: () => this.listeners.delete(entry) };
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
