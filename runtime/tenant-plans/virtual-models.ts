import type { ListedModel } from '../../plugins/sdk/dialect/client-route.ts';
import type { VirtualTarget } from '../../schema/config/virtual-models.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import type { CompiledPlan } from './plan-cache.ts';

/** A virtual model that a tenant has saved. */
export interface OwnModel {
  readonly target: VirtualTarget;
  /** Returns undefined if what it stands for is gone. */
  plan(): CompiledPlan | Promise<CompiledPlan> | undefined;
}

/** The virtual models of a tenant, by name. */
export type OwnModels = ReadonlyMap<string, OwnModel>;

/**
 * Whether a header, or a key that allows no other config, determines what serves a request. If so, no virtual model does,
 * whatever model the request names.
 */
export const isPlanNamed = ({
  caller: { config, virtualKey, overrides },
  principal: { defaults },
}: HttpExchange): boolean =>
  config !== undefined ||
  virtualKey !== undefined ||
  overrides.provider !== undefined ||
  (defaults?.config !== undefined && defaults.allowConfigOverride === false);

/** Whether a request may name a virtual model: there are some, and nothing else determines what serves it. */
export const mayNameVirtualModel = (exchange: HttpExchange, ownModels: OwnModels | undefined): boolean =>
  (ownModels?.size ?? 0) + (exchange.generationRef?.generation.models.size ?? 0) > 0 && !isPlanNamed(exchange);

/** The owner of configs in lists of models. */
const ofConfigs = 'gatewright';

const listed = (id: string, target: VirtualTarget): ListedModel => ({
  id,
  provider: target.kind === 'config' ? ofConfigs : target.slug,
});

/** Lists the virtual models that a request with the same headers can name. */
export const listVirtualModels = (exchange: HttpExchange, ownModels: OwnModels | undefined): readonly ListedModel[] => {
  if (isPlanNamed(exchange)) return [];
  const models = new Map<string, ListedModel>();
  for (const [name, { target }] of ownModels ?? []) models.set(name, listed(name, target));
  for (const [name, { target, served }] of exchange.generationRef?.generation.models ?? [])
    if (served !== undefined && !models.has(name)) models.set(name, listed(name, target));
  return [...models.values()];
};
