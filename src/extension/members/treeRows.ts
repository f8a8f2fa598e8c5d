/** A row of a tree: the same object as long as its member stays. */
export interface TreeRow {
  readonly name: string;
}

/** What a row is to show, as one text that differs where it looks different. */
export interface ShownRow {
  name: string;
  shown: string;
}

/**
 * The rows of a native tree, and which of them have changed. VS Code forgets every row of a tree that is drawn anew as a
 * whole, until it has asked for all of them again: an inline action that is clicked in that moment comes without its row.
 * Rows that are drawn anew one by one keep what they are.
 */
export class TreeRows {
  private drawn = new Map<string, { row: TreeRow; shown: string }>();

  /** In the order in which they are shown. */
  get all(): TreeRow[] {
    return [...this.drawn.values()].map(({ row }) => row);
  }

  /** Takes what is to be shown now. Returns the rows to draw anew, `"all"` where one came, went or moved. */
  update(rows: readonly ShownRow[]): TreeRow[] | "all" {
    const before = this.drawn;
    this.drawn = new Map(rows.map(({ name, shown }) => [name, { row: before.get(name)?.row ?? { name }, shown }]));
    const names = (drawn: ReadonlyMap<string, unknown>) => JSON.stringify([...drawn.keys()]);
    if (names(before) !== names(this.drawn)) return "all";
    return [...this.drawn.values()]
      .filter(({ row, shown }) => before.get(row.name)?.shown !== shown)
      .map(({ row }) => row);
  }
}
