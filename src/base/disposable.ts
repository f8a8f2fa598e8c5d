/** Something that is owned and must be released once. */
export interface Disposable {
  dispose(): void;
}

/** What `make` gives; where it fails, `owned` is released, since nobody else will. */
export async function releasedOnFailure<T>(owned: Disposable, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    owned.dispose();
    throw error;
  }
}

/** Owns disposables and releases them in reverse order of adding; adding after the release releases at once. */
export class DisposableStore implements Disposable {
  private items: Disposable[] = [];
  private disposed = false;

  /** Takes ownership of `item` and returns it. */
  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  /** Takes ownership of a clean-up function. */
  defer(cleanUp: () => void): void {
    this.add({ dispose: cleanUp });
  }

  dispose(): void {
    this.disposed = true;
    for (const item of this.items.splice(0).reverse()) item.dispose();
  }
}
