import type { Environment, TargetModel } from '../compiler/cli/command-line/services.ts';
import { UsageError } from '../compiler/cli/command-line/usage-error.ts';
import { systemClock } from '../runtime/memory/system-clock.ts';
import { lateModelCatalogue } from '../runtime/model-facts/late-model-catalogue.ts';
import type { Target } from '../schema/plan/plan.ts';
import { errorText } from '../schema/text/error-text.ts';
import type { FoundEnvironment } from './found-environment.ts';

const unusable = (error: unknown): never => {
  throw new UsageError(errorText(error), 'Or remove the file.');
};

/** What `gw check` and `gw explain` know of models; everything is loaded when they ask. */
export const environmentModels = (found: FoundEnvironment): Pick<Environment, 'findModel' | 'targetModel'> => {
  const { plugins, settings } = found.environment;
  const catalogue = lateModelCatalogue({ plugins, settings, gatewayFile: found.file, now: systemClock.wall });
  return {
    findModel: async () => (await catalogue()).withoutTable().catch(unusable),
    targetModel: async (target) => {
      const { from } = target;
      const model = target.model ?? target.params.override.model;
      if ((from.kind !== 'inline' && from.kind !== 'saved') || typeof model !== 'string') return undefined;
      const find = await (await catalogue()).ofProvider(from.provider).catch(unusable);
      const facts = find(model, from.kind === 'saved' ? from.slug : undefined);
      if (facts === undefined) return undefined;
      const { findMaxOutput } = await import('../runtime/engine/attempt/request/max-output.ts');
      const bound = facts.output === undefined ? {} : { max_tokens: facts.output };
      const { override } = target.params;
      const output = findMaxOutput({ ...bound, ...override }) ?? facts.output;
      return { facts, output, nanoUsd: await filledCost(target, { found, model, context: facts.context, output }) };
    },
  };
};

interface FilledCall {
  readonly found: FoundEnvironment;
  readonly model: string;
  readonly context: number | undefined;
  readonly output: number | undefined;
}

/** What a call costs whose input fills the context and whose answer is as long as it can be, without a cache. */
const filledCost = async (
  { from, prices: saved }: Target,
  { found, model, context, output }: FilledCall,
): Promise<TargetModel['nanoUsd']> => {
  const provider = 'provider' in from ? found.environment.catalogue.providers.get(from.provider) : undefined;
  if (provider === undefined || context === undefined || output === undefined) return undefined;
  const [{ createPrices }, { toSavedPrices }] = await Promise.all([
    import('../runtime/usage/prices/create-prices.ts'),
    import('../schema/usage/model-price.ts'),
  ]);
  const prices = createPrices(found.environment.settings.prices);
  await prices.ready();
  const { id, listedAs = id } = provider;
  return prices.cost(
    { kind: 'estimated', model, input: { total: context }, output: { total: output } },
    {
      ...{ provider: id, listedAs, model, at: systemClock.wall() },
      saved: saved === undefined ? undefined : toSavedPrices(saved),
    },
  )?.nanoUsd;
};
