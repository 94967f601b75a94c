import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { toTrustedHosts } from '../../schema/http/to-trusted-hosts.ts';
import type { ModelFacts } from '../../schema/model-facts/model-facts.ts';
import type { Target } from '../../schema/plan/plan.ts';
import { toSavedPrices } from '../../schema/usage/model-price.ts';
import { findMaxOutput } from '../engine/attempt/request/max-output.ts';
import { systemClock } from '../memory/system-clock.ts';
import { type ListOutcome, type OwnTarget, refreshLists } from '../model-facts/refresh-lists.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import { createPrices } from '../usage/prices/create-prices.ts';
import { secretReader } from './settings/secret-reader.ts';

export interface ReadListsOptions {
  readonly targets: readonly OwnTarget[];
  readonly settings: GatewayFile;
  readonly plugins: readonly Plugin[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads the lists of targets' providers with the secrets, and to the hosts, that a gateway of these settings has. */
export const readLists = async ({
  targets,
  settings,
  plugins,
  env,
}: ReadListsOptions): Promise<readonly ListOutcome[]> => {
  const onlyThisMachine = (settings.auth?.keys ?? []).length === 0 && settings.store === undefined;
  const trustedHosts = toTrustedHosts(env.GW_TRUSTED_HOSTS, settings, onlyThisMachine);
  const upstreams = createUpstreams({ trustedHosts, clock: systemClock });
  try {
    return await refreshLists({ targets, plugins, upstreams, clock: systemClock, secrets: secretReader(env) });
  } finally {
    await upstreams.close();
  }
};

/** The limits of a call to a target. */
export interface FilledCall {
  /** The most tokens of an answer: as the config bounds it, or as the model does. */
  readonly output: number | undefined;
  /** The price of a call whose input fills the context and whose answer is as long as it can be, without a cache. */
  readonly nanoUsd: number | undefined;
}

export interface FilledCallOptions {
  readonly target: Target;
  readonly provider: Pick<Provider, 'id' | 'listedAs'>;
  readonly model: string;
  readonly facts: ModelFacts;
  readonly settings: Pick<GatewayFile, 'prices'>;
}

/** Measures a call that is as large as the model of a target and the config let it be. */
export const measureFilledCall = async ({
  target: { params, prices: saved },
  provider: { id, listedAs = id },
  model,
  facts,
  settings,
}: FilledCallOptions): Promise<FilledCall> => {
  const ofModel = facts.output === undefined ? {} : { max_tokens: facts.output };
  const output = findMaxOutput({ ...ofModel, ...params.override }) ?? facts.output;
  if (facts.context === undefined || output === undefined) return { output, nanoUsd: undefined };
  const prices = createPrices(settings.prices);
  await prices.ready();
  const cost = prices.cost(
    { kind: 'estimated', model, input: { total: facts.context }, output: { total: output } },
    {
      ...{ provider: id, listedAs, model, at: systemClock.wall() },
      saved: saved === undefined ? undefined : toSavedPrices(saved),
    },
  );
  return { output, nanoUsd: cost?.nanoUsd };
};
