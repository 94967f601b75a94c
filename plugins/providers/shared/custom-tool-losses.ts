import type { LackedContent } from '../../sdk/dialect/dialect.ts';
import type { ProviderLoss } from '../../sdk/provider/provider.ts';

/** Lists what a provider that accepts only functions loses of a request's tools. */
export const customToolLosses = (lacks: readonly LackedContent[]): readonly ProviderLoss[] =>
  lacks.includes('custom-tool')
    ? [
        { member: 'tools.format', why: 'A custom tool is sent as a function with one text, which has no format.' },
        { member: 'toolChoice.allowed', why: 'Only the tools that may be called are sent.' },
      ]
    : [];
