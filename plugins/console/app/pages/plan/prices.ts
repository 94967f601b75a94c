import type { RoutingPlan, Target } from '../../../../../schema/plan/plan.ts';
import { targetModel, targetProvider } from '../../../../../schema/plan/target-model.ts';
import { get } from '../../api/client.ts';

/** The public prices of a target's model for one token, in billionths of a US dollar. */
export interface TargetPrice {
  readonly input: number;
  readonly output: number;
}

/** The most targets of a plan whose prices are loaded. Further targets have no price. */
const maxPriced = 50;

interface Pricing {
  readonly pay_as_you_go: {
    readonly request_token?: { readonly price?: number };
    readonly response_token?: { readonly price?: number };
  };
}

const nanoUsdInCent = 1e7;

const loadPrice = async (target: Target, model: string, signal: AbortSignal): Promise<TargetPrice | undefined> => {
  const provider = targetProvider(target);
  if (provider === undefined) return undefined;
  const path = `/model-configs/pricing/${encodeURIComponent(provider)}/${encodeURIComponent(model)}`;
  const { pay_as_you_go: price } = await get<Pricing>(path, { signal });
  const [input, output] = [price.request_token?.price, price.response_token?.price];
  if (input === undefined || output === undefined) return undefined;
  return { input: input * nanoUsdInCent, output: output * nanoUsdInCent };
};

/** Loads the prices of a plan's targets, by target id. Omits targets whose price is unknown. */
export const loadPrices = async (
  { targets }: Pick<RoutingPlan, 'targets'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, TargetPrice>> => {
  const found = await Promise.all(
    targets.slice(0, maxPriced).map(async (target) => {
      const model = targetModel(target);
      const price = model === undefined ? undefined : await loadPrice(target, model, signal).catch(() => undefined);
      return [target.id, price] as const;
    }),
  );
  return new Map(found.flatMap(([id, price]) => (price === undefined ? [] : [[id, price] as const])));
};
