import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';

/** The dialects in which clients converse. */
export const clientDialects = (dialects: ReadonlyMap<string, Dialect>): readonly Dialect[] =>
  [...dialects.values()].filter(
    ({ operation, routes, conversation }) =>
      operation === 'converse' && routes !== undefined && conversation !== undefined,
  );
