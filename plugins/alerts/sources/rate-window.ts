/** Into how many parts a window is divided, of which the oldest goes at once. */
const parts = 10;

/** How many of the requests of the last while failed, in constant memory. */
export class RateWindow {
  readonly #failed = new Uint32Array(parts);
  readonly #all = new Uint32Array(parts);
  #part = 0;

  count(isFailure: boolean): void {
    this.add({ failed: isFailure ? 1 : 0, all: 1 });
  }

  /** Counts several. */
  add({ failed, all }: { readonly failed: number; readonly all: number }): void {
    this.#all[this.#part] = (this.#all[this.#part] ?? 0) + all;
    this.#failed[this.#part] = (this.#failed[this.#part] ?? 0) + failed;
  }

  /** Begins the next part, in place of the oldest. Called once in each part of the time. */
  advance(): void {
    this.#part = (this.#part + 1) % parts;
    this.#failed[this.#part] = 0;
    this.#all[this.#part] = 0;
  }

  sums(): { readonly failed: number; readonly all: number } {
    const sum = (counts: Uint32Array): number => counts.reduce((total, count) => total + count, 0);
    return { failed: sum(this.#failed), all: sum(this.#all) };
  }
}

/** Milliseconds of one part of a window. */
export const toPartMs = (windowS: number): number => (windowS * 1000) / parts;
