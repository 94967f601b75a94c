/** Throws if an object of a stream has members that its vendor does not document. */
export const knownMembers = (what: string, value: object, known: readonly string[]): void => {
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`${what} has the unknown members ${unknown.join(', ')}.`);
};

/** Throws if a stream has an event of a type that its vendor does not document. */
export const knownType = (what: string, type: string, known: readonly string[]): void => {
  if (!known.includes(type)) throw new Error(`${what} has the unknown type ${type}.`);
};
