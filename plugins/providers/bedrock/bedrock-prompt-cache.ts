import type { PromptCacheRules } from '../../sdk/dialect/cache-hints.ts';
import { claudePromptCache } from '../row-parts/claude-prompt-cache.ts';

/** Models that refuse a cache point, although Anthropic itself caches for them. */
const refusing = /claude-3-(?:5-sonnet|opus|haiku)/;

/**
 * What a model caches on Bedrock; undefined for one that refuses requests with a cache point, or that is not known: an ARN
 * of an inference profile does not say its model. Nova refuses cache points in tools, and in some messages:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 */
export const bedrockPromptCache = (model = ''): PromptCacheRules | undefined => {
  if (/(?:^|[./])amazon\.nova-(?:micro|lite|pro|premier)-/.test(model))
    return { minTokens: 1000, most: 4, in: ['system'] };
  return refusing.test(model) ? undefined : claudePromptCache(model);
};
