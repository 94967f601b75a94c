type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Returns the object without members that are `undefined`, so that they are absent in JSON. A member named `__proto__`, which no
 * format has, is omitted, because it would become the prototype.
 */
export const defined = <T extends object>(members: T): Defined<T> => {
  const kept: Record<string, unknown> = {};
  for (const name in members) if (members[name] !== undefined && name !== '__proto__') kept[name] = members[name];
  // The loop above ensures what `Defined` states, which the type checker cannot see.
  return kept as Defined<T>;
};
