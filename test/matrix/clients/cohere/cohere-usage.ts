import type { Cohere } from 'cohere-ai';
import type { Received } from '../../scenario.ts';
import { counted } from '../receive.ts';

/** Returns the token usage that an answer reports, if it does. */
export const toUsage = (usage: Cohere.Usage | undefined): Pick<Received, 'usage'> =>
  usage?.tokens === undefined
    ? {}
    : {
        usage: counted({
          input: usage.tokens.inputTokens ?? 0,
          output: usage.tokens.outputTokens ?? 0,
          cached: usage.cachedTokens ?? 0,
        }),
      };
