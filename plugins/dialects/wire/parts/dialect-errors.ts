import type { Dialect } from '../../../sdk/dialect/dialect.ts';

/** All that every dialect says of errors, beside the one that its declaration writes. */
export type DialectErrors = Pick<
  Dialect,
  'encodeStreamError' | 'decodeError' | 'encodeWireError' | 'decodeStreamError'
>;
