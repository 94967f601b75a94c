const longest = 200;

/** Leaves room for a number after a name that is in use. */
const longestBase: number = longest - 10;

/**
 * The names of a request's documents, as the API requires them: letters, digits, single spaces, hyphens, parentheses and square
 * brackets, and each name only once. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html
 */
export class DocumentNames {
  readonly #taken = new Set<string>();
  /** Name → the number from which the search for a free similar name starts. */
  readonly #next = new Map<string, number>();

  /** Returns an unused name that is as close to `name` as possible. */
  take(name: string | undefined): string {
    const valid = (name ?? '')
      .replaceAll(/[^A-Za-z0-9()[\]\s-]/g, '-')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, longest)
      .trim();
    const base = valid === '' ? 'document' : valid;
    let free = base;
    let number = this.#next.get(base) ?? 2;
    for (; this.#taken.has(free); number += 1) free = `${base.slice(0, longestBase).trim()} (${number})`;
    this.#next.set(base, number);
    this.#taken.add(free);
    return free;
  }
}
