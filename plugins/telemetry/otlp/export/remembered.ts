type Part = string | number | null;

/** The values that are stored for arguments with the same beginning. */
interface Branch<Value> {
  readonly next: Map<Part, Branch<Value>>;
  value: Value | undefined;
}

const branch = <Value>(): Branch<Value> => ({ next: new Map(), value: undefined });

/** If there are more, all are forgotten: callers and providers choose some of the arguments, and thereby their number. */
const maxBranches = 10_000;

/** Memoises a function, most of whose arguments recur. */
export const remembered = <Parts extends readonly Part[], Value extends object>(
  make: (...parts: Parts) => Value,
): ((...parts: Parts) => Value) => {
  let root = branch<Value>();
  let branches = 0;

  const grown = (from: Branch<Value>, part: Part): Branch<Value> => {
    const created = branch<Value>();
    from.next.set(part, created);
    branches += 1;
    return created;
  };

  return (...parts) => {
    if (branches > maxBranches) [root, branches] = [branch<Value>(), 0];
    let at = root;
    for (const part of parts) at = at.next.get(part) ?? grown(at, part);
    at.value ??= make(...parts);
    return at.value;
  };
};
