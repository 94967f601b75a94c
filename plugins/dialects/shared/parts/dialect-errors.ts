import type { Dialect } from '../../../sdk/dialect/dialect.ts';

/** The error handling of a dialect, except for the error body that its declaration writes. */
export type DialectErrors = Pick<
  Dialect,
  'encodeStreamError' | 'decodeError' | 'encodeWireError' | 'decodeStreamError'
>;
