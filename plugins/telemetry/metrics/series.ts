/** The value of every label of the series that takes what there is no room for. */
export const otherName = '(other)';

export interface SeriesOptions<Cell> {
  /** How many labels each has. */
  readonly labels: number;
  /** The most nodes: values of labels behind different values of the labels before them. */
  readonly most: number;
  readonly make: (values: readonly string[]) => Cell;
}

interface Room {
  left: number;
}

/**
 * Series by the values of their labels, one label after the other: finding one that is known allocates nothing. When there
 * is no room for more, all new ones are a single series whose labels say so.
 */
export class Series<Cell> {
  readonly #options: SeriesOptions<Cell>;
  readonly #values: readonly string[];
  readonly #room: Room;
  readonly #other: Series<Cell>;
  readonly #next = new Map<string, Series<Cell>>();
  #cell: Cell | undefined;

  private constructor(
    options: SeriesOptions<Cell>,
    values: readonly string[],
    { room, other }: { readonly room: Room; readonly other?: Series<Cell> },
  ) {
    this.#options = options;
    this.#values = values;
    this.#room = room;
    this.#other = other ?? this;
  }

  static of<Cell>(options: SeriesOptions<Cell>): Series<Cell> {
    const values = Array.from({ length: options.labels }, () => otherName);
    const other = new Series(options, values, { room: { left: 0 } });
    return new Series(options, [], { room: { left: options.most }, other });
  }

  /** Those with this value of the next label. */
  at(value: string): Series<Cell> {
    return this.#next.get(value) ?? this.#added(value);
  }

  /** What it holds; made when it is first used. */
  get cell(): Cell {
    this.#cell ??= this.#options.make(this.#values);
    return this.#cell;
  }

  /** All that are in use. */
  *all(): Iterable<{ readonly values: readonly string[]; readonly cell: Cell }> {
    if (this.#cell !== undefined) yield { values: this.#values, cell: this.#cell };
    for (const next of this.#next.values()) yield* next.all();
    if (this.#values.length === 0 && this.#other !== this) yield* this.#other.all();
  }

  #added(value: string): Series<Cell> {
    if (this.#room.left === 0) return this.#other;
    this.#room.left -= 1;
    const made = new Series(this.#options, [...this.#values, value], { room: this.#room, other: this.#other });
    this.#next.set(value, made);
    return made;
  }
}
