type Key = string | undefined;

/** A node of the tree, from which the next text leads to another node or a value. */
class Branch<Value> {
  value: Value | undefined;
  /** The text of the last look-up, which is usually the next one too. */
  #last: Key;
  #lastBranch: Branch<Value> | undefined;
  /** All branches, if there is more than one. */
  #branches: Map<Key, Branch<Value>> | undefined;

  at(key: Key): Branch<Value> {
    if (this.#lastBranch !== undefined && this.#last === key) return this.#lastBranch;
    const found = this.#find(key);
    this.#last = key;
    this.#lastBranch = found;
    return found;
  }

  #find(key: Key): Branch<Value> {
    if (this.#lastBranch === undefined) return new Branch();
    this.#branches ??= new Map([[this.#last, this.#lastBranch]]);
    const known = this.#branches.get(key);
    if (known !== undefined) return known;
    const made = new Branch<Value>();
    this.#branches.set(key, made);
    return made;
  }
}

/** The maximum number of values, and of their characters. All of them are then dropped together. */
const maxValues = 10_000;
const maxCharacters = 8_000_000;

/** Caches values by several texts each, so that equal texts lead to the same object. */
export class TextTree<Value> {
  readonly #measure: (value: Value) => number;
  #root = new Branch<Value>();
  #size = 0;
  #characters = 0;

  /** @param measure counts the characters of a value that callers choose */
  constructor(measure: (value: Value) => number) {
    this.#measure = measure;
  }

  /** The node for the first text of a value. */
  get root(): Branch<Value> {
    return this.#root;
  }

  /** Returns the value of the last text, and creates it if there is none. */
  valueAt(branch: Branch<Value>, make: () => Value): Value {
    if (branch.value !== undefined) return branch.value;
    const made = make();
    branch.value = made;
    this.#size += 1;
    this.#characters += this.#measure(made);
    if (this.#size < maxValues && this.#characters < maxCharacters) return made;
    this.#root = new Branch();
    this.#size = 0;
    this.#characters = 0;
    return made;
  }
}
