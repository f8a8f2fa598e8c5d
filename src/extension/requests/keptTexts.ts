/** So many texts of documents that nobody has open are kept. */
const MOST_CLOSED = 50;

/** Texts of documents by their addresses: those that are open, and the newest of the others. */
export class KeptTexts {
  private readonly isOpen: (address: string) => boolean;
  private readonly texts = new Map<string, string>();

  constructor(isOpen: (address: string) => boolean) {
    this.isOpen = isOpen;
  }

  get(address: string): string | undefined {
    return this.texts.get(address);
  }

  /** Keeps a text as the newest; gives the one that it replaces. */
  set(address: string, text: string): string | undefined {
    const before = this.texts.get(address);
    this.texts.delete(address);
    this.texts.set(address, text);
    if (this.texts.size > MOST_CLOSED) this.forget();
    return before;
  }

  private forget(): void {
    const closed = [...this.texts.keys()].filter((address) => !this.isOpen(address));
    for (const address of closed.slice(0, -MOST_CLOSED)) this.texts.delete(address);
  }
}
