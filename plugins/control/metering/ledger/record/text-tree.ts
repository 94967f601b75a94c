type Key = string | undefined;

/** Where several texts lead to, one after another. */
class Branch<Value> {
  value: Value | undefined;
  /** The text that was last asked for, which mostly comes again. */
  #last: Key;
  #lastBranch: Branch<Value> | undefined;
  /** All branches, where there is more than one. */
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

/** So many values are remembered, and then forgotten together. */
const maxValues = 10_000;

/** Remembers values by several texts each, so that whatever has the same texts has one object. */
export class TextTree<Value> {
  #root = new Branch<Value>();
  #size = 0;

  /** Where the texts of a value begin. */
  get root(): Branch<Value> {
    return this.#root;
  }

  /** The value of the last text, which is made where there is none. */
  valueAt(branch: Branch<Value>, make: () => Value): Value {
    if (branch.value !== undefined) return branch.value;
    const made = make();
    branch.value = made;
    this.#size += 1;
    if (this.#size < maxValues) return made;
    this.#root = new Branch();
    this.#size = 0;
    return made;
  }
}
