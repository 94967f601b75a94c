/** The value of every label of the series for which there is no room. */
export const otherName = '(other)';

export interface SeriesOptions<Cell> {
  /** The number of labels. */
  readonly labels: number;
  /** The maximum number of nodes, that is, of values of labels after different values of the labels before them. */
  readonly max: number;
  readonly make: () => Cell;
}

/** A series that is in use. */
export interface UsedSeries<Cell> {
  readonly values: readonly string[];
  readonly cell: Cell;
}

/** The parts that all nodes of one family share. */
interface Shared<Cell> {
  readonly make: () => Cell;
  /** How many more nodes may be created. */
  left: number;
  readonly used: UsedSeries<Cell>[];
}

/**
 * Series whose labels are set by name, in order. The cell is available when all labels are set. A label that is added, omitted or
 * misspelt is a type error. No value has `labels`: TypeScript compares two nested types only three levels deep, and through this
 * member it compares all labels.
 */
export type Labelled<Cell, Labels extends readonly string[]> = Labels extends readonly [
  infer First extends string,
  ...infer Rest extends readonly string[],
]
  ? { at(label: First, value: string): Labelled<Cell, Rest>; readonly labels?: Readonly<Labels> }
  : { readonly cell: Cell };

/**
 * Series by the values of their labels, one label after the other. Finding a known one allocates nothing, and finding the same
 * one again hashes nothing. When there is no room for more, all new ones share a single series whose labels say so.
 */
export class Series<Cell> {
  readonly #shared: Shared<Cell>;
  readonly #values: readonly string[];
  readonly #other: Series<Cell>;
  readonly #next = new Map<string, Series<Cell>>();
  #lastValue: string | undefined;
  #last: Series<Cell>;
  #cell: Cell | undefined;

  private constructor(shared: Shared<Cell>, values: readonly string[], other?: Series<Cell>) {
    this.#shared = shared;
    this.#values = values;
    this.#other = other ?? this;
    this.#last = this;
  }

  static of<Cell>({ labels, max, make }: SeriesOptions<Cell>): Series<Cell> {
    const used: UsedSeries<Cell>[] = [];
    const values = Array.from({ length: labels }, () => otherName);
    const other = new Series({ make, left: 0, used }, values);
    return new Series({ make, left: max, used }, [], other);
  }

  /** Returns the series with this value of the next label. `Labelled` checks the label's name. */
  at(_label: string, value: string): Series<Cell> {
    if (value === this.#lastValue) return this.#last;
    const found = this.#next.get(value) ?? this.#added(value);
    this.#lastValue = value;
    this.#last = found;
    return found;
  }

  /** The cell of the series, created on first use. */
  get cell(): Cell {
    this.#cell ??= this.#made();
    return this.#cell;
  }

  /** Returns all series of the family that are in use, in the order of their first use. */
  all(): readonly UsedSeries<Cell>[] {
    return this.#shared.used;
  }

  #made(): Cell {
    const cell = this.#shared.make();
    this.#shared.used.push({ values: this.#values, cell });
    return cell;
  }

  #added(value: string): Series<Cell> {
    if (this.#shared.left === 0) return this.#other;
    this.#shared.left -= 1;
    const made = new Series(this.#shared, [...this.#values, value], this.#other);
    this.#next.set(value, made);
    return made;
  }
}
