/** The number of parts of a window. The oldest part expires at once. */
const parts = 10;

/** Counts how many recent requests failed, in constant memory. */
export class RateWindow {
  readonly #failed = new Uint32Array(parts);
  readonly #all = new Uint32Array(parts);
  #part = 0;

  count(isFailure: boolean): void {
    this.add({ failed: isFailure ? 1 : 0, all: 1 });
  }

  /** Adds several requests. */
  add({ failed, all }: { readonly failed: number; readonly all: number }): void {
    this.#all[this.#part] = (this.#all[this.#part] ?? 0) + all;
    this.#failed[this.#part] = (this.#failed[this.#part] ?? 0) + failed;
  }

  /** Starts the next part in place of the oldest. Called once for each part of the time. */
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

/** Returns the length of one part of a window in milliseconds. */
export const toPartMs = (windowS: number): number => (windowS * 1000) / parts;
