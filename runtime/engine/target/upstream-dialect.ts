import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Translation } from './translation.ts';

/** The dialect in which the provider is asked and answers. */
export const upstreamDialect = (translation: Exclude<Translation, { readonly kind: 'none' }>): Dialect =>
  translation.kind === 'same' ? translation.dialect : translation.upstream;
