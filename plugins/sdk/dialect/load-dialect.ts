import type { Dialect, LazyDialect } from './dialect.ts';

/** Returns the whole dialect, and loads it first if only its declaration is known. */
export const loadDialect = (dialect: Dialect | LazyDialect): Dialect | Promise<Dialect> =>
  'load' in dialect ? dialect.load() : dialect;
