import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { AskedTranslation } from './translation.ts';

/** Returns the dialect of requests to the provider and of its answers. */
export const upstreamDialect = (translation: AskedTranslation): Dialect =>
  translation.kind === 'same' ? translation.dialect : translation.upstream;
