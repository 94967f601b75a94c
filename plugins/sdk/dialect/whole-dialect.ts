import type { Dialect, LazyDialect } from './dialect.ts';

/** The whole of a dialect, of which perhaps only the declaration is there yet. */
export const wholeDialect = (dialect: Dialect | LazyDialect): Dialect | Promise<Dialect> =>
  'load' in dialect ? dialect.load() : dialect;
