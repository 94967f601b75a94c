/** The value of every label of the series that takes what there is no room for. */
export const otherName = '(other)';

export interface SeriesOptions<Cell> {
  /** How many labels each has. */
  readonly labels: number;
  /** The most nodes: values of labels behind different values of the labels before them. */
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
  /** The nodes that may still be made. */
  left: number;
  readonly used: UsedSeries<Cell>[];
}

/**
 * Series whose labels get their values by name, in their order; the cell of one is there when all labels have a value. A label
 * that is added, left out or misspelt is a type error. No value has `labels`: TypeScript compares two nested types only three
 * levels deep, and by this member it compares all labels.
 */
export type Labelled<Cell, Labels extends readonly string[]> = Labels extends readonly [
  infer First extends string,
  ...infer Rest extends readonly string[],
]
  ? { at(label: First, value: string): Labelled<Cell, Rest>; readonly labels?: Readonly<Labels> }
  : { readonly cell: Cell };

/**
 * Series by the values of their labels, one label after the other: finding one that is known allocates nothing, and finding
 * the same one again hashes nothing. When there is no room for more, all new ones are a single series whose labels say so.
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

  /** Those with this value of the next label, whose name `Labelled` checks. */
  at(_label: string, value: string): Series<Cell> {
    if (value === this.#lastValue) return this.#last;
    const found = this.#next.get(value) ?? this.#added(value);
    this.#lastValue = value;
    this.#last = found;
    return found;
  }

  /** Returns its cell; made when it is first used. */
  get cell(): Cell {
    this.#cell ??= this.#made();
    return this.#cell;
  }

  /** All of the family that are in use, in the order in which they were first used. */
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
