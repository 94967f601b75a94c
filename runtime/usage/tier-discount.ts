import type { UsageRecord } from '../../schema/usage-record.ts';

/**
 * What a call at a service tier costs of the usual price, where no price is known for the tier. Providers that have batches
 * charge half for them: https://developers.openai.com/api/docs/pricing, https://docs.claude.com/en/docs/build-with-claude/batch-processing,
 * https://ai.google.dev/gemini-api/docs/pricing. At OpenAI and Azure, `flex` has the prices of batches; elsewhere it is as dear
 * as usual. Prices of `priority` differ by model.
 */
export const tierDiscount = ({ tier }: UsageRecord, listedAs: string): number => {
  if (tier === 'batch') return 0.5;
  return tier === 'flex' && (listedAs === 'openai' || listedAs === 'azure') ? 0.5 : 1;
};
