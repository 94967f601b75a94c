const longest = 200;

/** Room for a number after a name that is taken. */
const longestBase: number = longest - 10;

/**
 * Names of a request's documents, as the API requires them: letters, digits, single spaces, hyphens, parentheses and square
 * brackets, and no name twice. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html
 */
export class DocumentNames {
  readonly #taken = new Set<string>();
  /** Name → the number from which on others like it are looked for. */
  readonly #next = new Map<string, number>();

  /** A free name that is as much like `name` as possible. */
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
