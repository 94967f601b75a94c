type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without the members that are `undefined`, so that absent stays absent on the wire. */
export const defined = <T extends object>(members: T): Defined<T> => {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) kept[name] = value;
  // The loop above is exactly what `Defined` says; the checker cannot follow it.
  return kept as Defined<T>;
};
