/** A message between two scripted members. */
export interface Letter {
  from: string;
  to: string;
  text: string;
}

/** Which messages were sent and which were put before the member that they are for. */
export class Letters {
  private readonly sent = new Map<string, Letter>();
  private readonly heard = new Set<string>();
  private readonly changed: () => void;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  /** A message was sent, and the tool has said so. */
  noteSent(letter: Letter): void {
    this.sent.set(keyOf(letter), letter);
    this.changed();
  }

  /** A message was put before the member that it is for. */
  noteHeard(letter: Letter): void {
    this.heard.add(keyOf(letter));
    this.changed();
  }

  /** Messages to a member that were sent, and that it was not shown. */
  missing(to: string): Letter[] {
    return [...this.sent].flatMap(([key, letter]) => (letter.to === to && !this.heard.has(key) ? [letter] : []));
  }
}

function keyOf({ from, to, text }: Letter): string {
  return JSON.stringify([from, to, text]);
}
