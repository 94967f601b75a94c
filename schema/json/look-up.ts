/**
 * The own member of an object under a name from outside: `constructor` and `toString` are members of every object, but
 * nobody wrote them.
 */
export const lookUp = <Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;
