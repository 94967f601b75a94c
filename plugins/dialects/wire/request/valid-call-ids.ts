const invalid = /[^\w-]/g;

/** Room for a number after an id that is taken. */
const room = 8;

/**
 * The ids of a request's calls and of their results, for a service that accepts only letters, digits, `_` and `-` in them:
 * others, such as `functions.search:0` of Kimi, are written in these characters, and no two become one. Only calls and results
 * are paired by them, so that nothing is lost.
 */
export class ValidCallIds {
  readonly #longest: number;
  readonly #known = new Map<string, string>();
  readonly #taken = new Set<string>();
  /** Id → the number from which on others like it are looked for. */
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
