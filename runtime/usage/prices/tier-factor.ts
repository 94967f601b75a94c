import type { UsageRecord } from '../../../schema/usage/usage-record.ts';

/**
 * The factors by which models cost more in OpenAI's Fast mode (formerly Priority processing), by the longest matching prefix of a
 * model's name. All others cost twice as much. https://openai.com/api-fast-mode/, https://openai.com/api-priority-processing/
 */
const fastFactors: ReadonlyMap<string, number> = new Map([
  ['gpt-5.5', 2.5],
  ['gpt-5-mini', 1.8],
  ['gpt-4.1', 1.75],
  ['gpt-4.1-nano', 2],
  ['gpt-4o', 1.7],
  ['gpt-4o-2024-05-13', 1.75],
  ['gpt-4o-mini', 5 / 3],
  ['o3', 1.75],
  ['o4-mini', 20 / 11],
]);
const defaultFastFactor = 2;
/** https://developers.openai.com/api/docs/guides/ultrafast-mode */
const ultrafastFactor = 6;

const fastFactor = (model: string): number => {
  let [length, factor] = [0, defaultFastFactor];
  for (const [name, each] of fastFactors)
    if (name.length > length && model.startsWith(name)) [length, factor] = [name.length, each];
  return factor;
};

/** Whether the models are OpenAI's, which have its tiers. */
const isOfOpenAi = (listedAs: string): boolean => listedAs === 'openai' || listedAs === 'azure';

/**
 * Returns the factor on the standard price for tokens of a call at a service tier, if no price is known for the tier. Providers
 * that have batches charge half for them: https://developers.openai.com/api/docs/pricing,
 * https://docs.claude.com/en/docs/build-with-claude/batch-processing, https://ai.google.dev/gemini-api/docs/pricing. At OpenAI
 * and Azure, `flex` has the prices of batches, and `priority` and `fast` are one tier. Elsewhere they cost the standard price.
 */
export const tierFactor = ({ tier, model }: Pick<UsageRecord, 'tier' | 'model'>, listedAs: string): number => {
  if (tier === 'batch') return 0.5;
  if (tier === undefined || !isOfOpenAi(listedAs)) return 1;
  if (tier === 'flex') return 0.5;
  if (tier === 'priority' || tier === 'fast') return fastFactor(model);
  return tier === 'ultrafast' ? ultrafastFactor : 1;
};
