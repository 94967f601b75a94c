import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import type { ModelFacts } from '../../schema/model-facts/model-facts.ts';
import type { Target } from '../../schema/plan/plan.ts';
import { findAskedTier, findMaxOutput } from '../../schema/usage/max-output.ts';
import { toSavedPrices } from '../../schema/usage/model-price.ts';
import { createPrices } from '../usage/prices/create-prices.ts';

/** The limits of a call to a target. */
export interface FilledCall {
  /** The maximum number of tokens of an answer, as limited by the config or the model. */
  readonly output: number | undefined;
  /**
   * The price of a call whose input fills the context and whose answer is as long as possible. Its input is written to a cache if
   * the gateway adds the hints for that, and otherwise not.
   */
  readonly nanoUsd: number | undefined;
}

export interface PricedCallOptions {
  readonly target: Target;
  readonly provider: Pick<Provider, 'id' | 'listedAs' | 'promptCache'>;
  readonly model: string;
  readonly settings: Pick<GatewayFile, 'prices' | 'prompt_cache'>;
  /** Milliseconds since the epoch, because prices change. */
  readonly at: number;
}

/**
 * Returns the price of a call of this many tokens, in billionths of a US dollar, if its provider writes `written` input tokens to
 * a cache and reads none from it. Undefined if it is not known.
 */
export const priceCall = async (
  { target, provider: { id, listedAs = id }, model, settings, at }: PricedCallOptions,
  { input, output, written = 0 }: { readonly input: number; readonly output: number; readonly written?: number },
): Promise<number | undefined> => {
  const { prices: saved } = target;
  const prices = createPrices(settings.prices);
  await prices.ready();
  const tier = findAskedTier(target.params.override);
  const cost = prices.cost(
    {
      ...{ kind: 'estimated', model, ...(tier === undefined ? {} : { tier }) },
      input: { total: input, ...(written === 0 ? {} : { cacheWrite: { '5m': written } }) },
      output: { total: output },
    },
    {
      ...{ provider: id, listedAs, model, at },
      saved: saved === undefined ? undefined : toSavedPrices(saved),
    },
  );
  return cost?.nanoUsd;
};

export interface FilledCallOptions extends PricedCallOptions {
  readonly facts: ModelFacts;
}

/** Measures the largest call that a target's model and the config allow. */
export const measureFilledCall = async ({ facts, ...call }: FilledCallOptions): Promise<FilledCall> => {
  const ofModel = facts.output === undefined ? {} : { max_tokens: facts.output };
  const output = findMaxOutput({ ...ofModel, ...call.target.params.override }) ?? facts.output;
  if (facts.context === undefined || output === undefined) return { output, nanoUsd: undefined };
  const { settings, provider, model } = call;
  const isHinted = settings.prompt_cache === 'auto' && provider.promptCache?.(model) !== undefined;
  const tokens = { input: facts.context, output, ...(isHinted ? { written: facts.context } : {}) };
  return { output, nanoUsd: await priceCall(call, tokens) };
};
