/** Returns a name for a variable. */
const toName = (hint: string): string => {
  const name = hint
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return name === '' || /^\d/.test(name) ? `KEY_${name}` : name;
};

/**
 * The variables that a set-up refers to: those that its source names, and those that are created here for credentials without
 * one. Two credentials never share a name, whatever their order in the source, because the names of the source are reserved
 * before any name is created.
 */
export class Variables {
  /** The names of the source that the set-up refers to. */
  readonly referred: Set<string> = new Set();
  readonly #reserved: ReadonlySet<string>;
  /** The created names, by the credentials that they stand for. */
  readonly #made = new Map<string, string>();

  constructor(reserved: ReadonlySet<string> = new Set()) {
    this.#reserved = reserved;
  }

  get all(): ReadonlySet<string> {
    return new Set([...this.referred, ...this.#made.values()]);
  }

  /** Returns the name for a credential, which nothing else uses. The same credential always gets the same name. */
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
