/** The value of a table for a name from outside: `constructor` and `toString` are members of every object, but of no table. */
export const lookUp = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
