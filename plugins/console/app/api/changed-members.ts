/**
 * Returns the members of a change that differ from what the same form would send untouched. The others stay as they are, even if
 * somebody else has changed them since the form was opened.
 */
export const changedMembers = (body: object, untouched: object): object => {
  const before = new Map(Object.entries(untouched));
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name))),
  );
};
