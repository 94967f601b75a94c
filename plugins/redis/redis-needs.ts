/** The rights that the user of a Redis needs. */
export interface RedisNeeds {
  /** In lower case. */
  readonly commands: readonly string[];
  /** A key of each kind. */
  readonly keys: readonly [string, ...(readonly string[])];
}

/** Returns the names of the commands that Lua scripts call, in lower case. */
export const calledCommands = (scripts: readonly string[]): readonly string[] =>
  scripts.flatMap((text) => [...text.matchAll(/\bredis\.p?call\('(\w+)'/g)].map(([, name = '']) => name.toLowerCase()));
