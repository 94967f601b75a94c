const invalid = /[^\w-]/g;

/** Leaves room for a number after an id that is in use. */
const room = 8;

/**
 * The ids of a request's calls and of their results, for a service that accepts only letters, digits, `_` and `-` in them. Other
 * ids, such as `functions.search:0` of Kimi, are rewritten with these characters, without duplicates. Ids only pair calls with
 * results, so nothing is lost.
 */
export class ValidCallIds {
  readonly #longest: number;
  readonly #known = new Map<string, string>();
  readonly #taken = new Set<string>();
  /** Id → the number from which the search for a free similar id starts. */
  readonly #next = new Map<string, number>();

  constructor(longest: number = Number.POSITIVE_INFINITY) {
    this.#longest = longest;
  }

  of(id: string): string {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const valid = this.#take(id.replaceAll(invalid, '_').slice(0, this.#longest));
    this.#known.set(id, valid);
    return valid;
  }

  #take(wanted: string): string {
    const base = wanted === '' ? 'call' : wanted;
    let free = base;
    let number = this.#next.get(base) ?? 2;
    for (; this.#taken.has(free); number += 1) free = `${base.slice(0, this.#longest - room)}_${number}`;
    this.#next.set(base, number);
    this.#taken.add(free);
    return free;
  }
}
