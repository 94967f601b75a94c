import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { AskedTranslation } from './translation.ts';

/** The dialect in which the provider is asked and answers. */
export const upstreamDialect = (translation: AskedTranslation): Dialect =>
  translation.kind === 'same' ? translation.dialect : translation.upstream;
