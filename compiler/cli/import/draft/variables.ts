/** A name of a variable. */
const toName = (hint: string): string => {
  const name = hint
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return name === '' || /^\d/.test(name) ? `KEY_${name}` : name;
};

/**
 * The variables that a set-up refers to: those that its source names, and those whose names are made here for credentials without one.
 * Two credentials never have one name, whatever their order in the source, since the names of the source are reserved before any is made.
 */
export class Variables {
  /** The names of the source that the set-up refers to. */
  readonly referred: Set<string> = new Set();
  readonly #reserved: ReadonlySet<string>;
  /** The names that are made, by the credentials that they stand for. */
  readonly #made = new Map<string, string>();

  constructor(reserved: ReadonlySet<string> = new Set()) {
    this.#reserved = reserved;
  }

  get all(): ReadonlySet<string> {
    return new Set([...this.referred, ...this.#made.values()]);
  }

  /** The name for a credential, by which nothing else is referred to. One that is there twice has it twice. */
  make(credential: string, hint: string): string {
    const known = this.#made.get(credential);
    if (known !== undefined) return known;
    const taken = new Set([...this.all, ...this.#reserved]);
    const name = toName(hint);
    let made = name;
    for (let at = 2; taken.has(made); at += 1) made = `${name}_${at}`;
    this.#made.set(credential, made);
    return made;
  }
}
