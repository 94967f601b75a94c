type Part = string | number | null;

/** What is kept for arguments that begin alike. */
interface Branch {
  readonly next: Map<Part, Branch>;
  text: string | undefined;
}

const branch = (): Branch => ({ next: new Map(), text: undefined });

/** All are forgotten when there are more: callers and providers choose some of the arguments, and how many there are. */
const mostBranches = 10_000;

/** Keeps the texts that a function makes of arguments of which most come again. */
export const remembered = <Parts extends readonly Part[]>(
  textOf: (...parts: Parts) => string,
): ((...parts: Parts) => string) => {
  let root = branch();
  let branches = 0;

  const grown = (from: Branch, part: Part): Branch => {
    const created = branch();
    from.next.set(part, created);
    branches += 1;
    return created;
  };

  return (...parts) => {
    if (branches > mostBranches) [root, branches] = [branch(), 0];
    let at = root;
    for (const part of parts) at = at.next.get(part) ?? grown(at, part);
    at.text ??= textOf(...parts);
    return at.text;
  };
};
