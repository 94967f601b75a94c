import type { Cohere } from 'cohere-ai';
import type { Told } from '../../scenario.ts';
import { counted } from '../tell.ts';

/** The tokens that an answer took, as far as it says. */
export const toUsage = (usage: Cohere.Usage | undefined): Pick<Told, 'usage'> =>
  usage?.tokens === undefined
    ? {}
    : {
        usage: counted({
          input: usage.tokens.inputTokens ?? 0,
          output: usage.tokens.outputTokens ?? 0,
          cached: usage.cachedTokens ?? 0,
        }),
      };
