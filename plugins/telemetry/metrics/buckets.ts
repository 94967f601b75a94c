/** Counts how many values are at most each bound, and adds them up. */
export class Buckets {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** @param bounds in ascending order; values above the last one are counted too */
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

  /** Returns how many values are at most each bound, and finally, under `+Inf`, how many there are. */
  atMost(): readonly (readonly [bound: number | '+Inf', count: number])[] {
    let count = 0;
    return this.#counts.map((more, at) => {
      count += more;
      return [this.#bounds[at] ?? '+Inf', count];
    });
  }
}
