/** How many values were at most each bound, and their sum. */
export class Buckets {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** @param bounds ascending; what is above the last one is counted all the same */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let at = 0;
    while (value > (this.#bounds[at] ?? Number.POSITIVE_INFINITY)) at += 1;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  get sum(): number {
    return this.#sum;
  }

  /** How many values were at most each bound; at last, under `+Inf`, how many there were. */
  atMost(): readonly (readonly [bound: number | '+Inf', count: number])[] {
    let count = 0;
    return this.#counts.map((more, at) => {
      count += more;
      return [this.#bounds[at] ?? '+Inf', count];
    });
  }
}
