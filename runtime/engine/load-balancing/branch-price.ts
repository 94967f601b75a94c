import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { requestedModel } from '../../../plugins/sdk/models/requested-model.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import { targetModel } from '../../../schema/plan/target-model.ts';
import { findMaxOutput } from '../../../schema/usage/max-output.ts';
import { type SavedPrices, toSavedPrices } from '../../../schema/usage/model-price.ts';
import { nanoPerUsd } from '../../../schema/usage/usage-record.ts';
import type { LinkContext } from '../call/context.ts';
import { readableBody } from '../call/readable-body.ts';

/** The assumed number of output tokens if the request does not limit them. Only the ratio of prices matters. */
const defaultOutput = 1000;

/** The parts of a request that determine its price, read once for all branches. */
export interface PricedRequest {
  /** Empty if the request names none. */
  readonly model: string;
  readonly input: { readonly total: number };
  readonly output: { readonly total: number };
}

/** Reads these parts of a request whose body has this many tokens. */
export const readPriced = (exchange: Exchange, tokens: number): PricedRequest => {
  const body = readableBody(exchange);
  const output = (body && findMaxOutput(body)) ?? defaultOutput;
  return { model: requestedModel(exchange) ?? '', input: { total: tokens }, output: { total: output } };
};

/** Returns what a request would cost at a target, in US dollars. Undefined if no price is known. */
export type PriceOf = (request: PricedRequest) => number | undefined;

/** Returns a function that prices requests at a target. */
export const priceOf = (target: Target, { ports, names }: Pick<LinkContext, 'ports' | 'names'>): PriceOf => {
  const { prices, clock } = ports;
  const { from } = target;
  if (prices === undefined || !('provider' in from)) return () => undefined;
  const saved: SavedPrices | undefined = target.prices === undefined ? undefined : toSavedPrices(target.prices);
  const { provider } = from;
  const listedAs = names.provider(provider)?.listedAs ?? provider;
  const own = targetModel(target);
  return ({ model: requested, input, output }) => {
    const model = own ?? requested;
    const cost = prices.cost(
      { kind: 'estimated', model, input, output },
      { provider, listedAs, model, saved, at: clock.wall() },
    );
    return cost === undefined ? undefined : cost.nanoUsd / nanoPerUsd;
  };
};
