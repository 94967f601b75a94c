import { gatewayError } from '../../schema/errors/errors.ts';
import { suggestName } from '../../schema/text/closest-name.ts';
import { savedSlug } from '../../schema/text/slug-model.ts';
import type { ServedPlan } from '../file-plans/served-plan.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { wireText } from '../http/headers/wire-text.ts';
import { requestModel } from '../json-bodies/read/named-model.ts';
import type { CallerPlans } from '../tenant-plans/caller-plans.ts';
import { leavesProviderOpen } from '../tenant-plans/complete-plan.ts';
import type { CompletedPlans } from '../tenant-plans/completed-plans.ts';
import { mayNameVirtualModel } from '../tenant-plans/virtual-models.ts';
import { type SavedMember, withSaved } from '../tenant-plans/with-saved.ts';
import {
  type Chosen,
  choosePlanByModel,
  completedByModel,
  isProviderOpen,
  type Plan,
  type ReceiveBody,
  refuseKeyAsProvider,
  whenChosen,
} from './choose-plan-by-model.ts';
import { chooseVirtualModel } from './choose-virtual-model.ts';
import {
  configNames,
  type KnownNames,
  longestName,
  missingProvider,
  modelOrProviderHint,
  slugOrProviderHint,
  type ToHint,
} from './missing-provider.ts';
import { reasonOf } from './refused-config.ts';

export interface PlanChoice extends KnownNames {
  readonly callerPlans: CallerPlans;
  /** The plan for callers that bring a provider and no config. */
  readonly requestPlan: ServedPlan;
  /** Completes saved plans without a provider. */
  readonly completed: CompletedPlans;
  readonly receive: ReceiveBody;
  /** The largest `x-gw-config`, in bytes. */
  readonly configBytes: number;
}

/** Returns a saved config: the caller's tenant's, or else one from the gateway's files. */
const findSaved = ({ generationRef }: HttpExchange, name: string, { own }: PlanChoice): Chosen | undefined =>
  own?.saved(name) ?? generationRef?.generation.plan(name);

/** Returns the default config. If it is missing, only the operator can correct that. */
const ofGateway = (exchange: HttpExchange, name: string, choice: PlanChoice): Chosen => {
  const plan = findSaved(exchange, name, choice);
  if (plan === undefined) throw gatewayError('missing-default-config', { name, reason: reasonOf(plan) });
  return plan;
};

/** Returns the config of the caller's key. */
const ofKey = (exchange: HttpExchange, name: string, choice: PlanChoice): Chosen => {
  const plan = findSaved(exchange, name, choice);
  if (plan === undefined) throw gatewayError('missing-key-config', { name, reason: reasonOf(plan) });
  return plan;
};

/** Returns the config of requests that name none: that of the caller's key, or else the gateway's. */
const findDefault = (exchange: HttpExchange, choice: PlanChoice): Chosen | undefined => {
  const { defaults } = exchange.principal;
  if (defaults?.config !== undefined) return ofKey(exchange, defaults.config, choice);
  return choice.defaultConfig === undefined ? undefined : ofGateway(exchange, choice.defaultConfig, choice);
};

/** If there are more, they are not listed to a caller who named none of them. */
const maxListed = 5;

const listedConfigs = (names: readonly string[]): string =>
  names.length > 0 && names.length <= maxListed
    ? `Send the name of a config, which ${names.length === 1 ? 'is' : 'are'} ${names.map((name) => JSON.stringify(name)).join(', ')}, or the config itself as JSON.`
    : 'Send the name of a saved config, or the config itself as JSON.';

const saved = (exchange: HttpExchange, name: string, choice: PlanChoice): Chosen => {
  const plan = findSaved(exchange, name, choice);
  if (plan !== undefined) return plan;
  const written = wireText(name).slice(0, longestName);
  const names = configNames(exchange, choice);
  const suggestion = suggestName(written, names, listedConfigs(names));
  throw gatewayError('unknown-config', { name: written, suggestion });
};

/** Returns the saved provider or virtual key that the headers of a request name. */
const headerMember = ({ caller: { virtualKey, overrides } }: HttpExchange): SavedMember | undefined => {
  if (virtualKey !== undefined) return { name: 'virtual_key', value: virtualKey };
  const { provider } = overrides;
  return provider === undefined || savedSlug(provider) === undefined
    ? undefined
    : { name: 'provider', value: provider };
};

/** Throws the `GatewayError` `invalid-header` if the header for providers names a virtual key. */
const refuseKeyMember = ({ name, value }: SavedMember, { knownProviders }: PlanChoice): void => {
  if (name === 'provider') refuseKeyAsProvider(value.slice(1), knownProviders?.());
};

/** Like `headerMember`, but refuses a virtual key in the header for providers. */
const usableMember = (exchange: HttpExchange, choice: PlanChoice): SavedMember | undefined => {
  const member = headerMember(exchange);
  if (member !== undefined) refuseKeyMember(member, choice);
  return member;
};

/** Returns a saved config's plan, with the provider that the request names if the plan has none. */
const completedConfig = (exchange: HttpExchange, chosen: Chosen, choice: PlanChoice): Chosen =>
  whenChosen(chosen, (plan) =>
    'linked' in plan && leavesProviderOpen(plan.linked.plan) ? completedPlan(exchange, plan, choice) : plan,
  );

const completedPlan = (exchange: HttpExchange, plan: ServedPlan, choice: PlanChoice): Chosen => {
  const complete = (named: SavedMember): Chosen =>
    whenChosen(choice.callerPlans.get('{}', named, exchange), (giver) =>
      'linked' in giver ? choice.completed(plan, giver) : giver,
    );
  const member = usableMember(exchange, choice);
  return member === undefined ? completedByModel(exchange, plan, { ...choice, complete }) : complete(member);
};

const byConfig = (exchange: HttpExchange, config: string, choice: PlanChoice): Chosen => {
  const { configBytes } = choice;
  // A header's text is Latin-1: each character is one byte.
  if (config.length > configBytes)
    throw gatewayError('header-too-large', { header: 'x-gw-config', limit: configBytes });
  return exchange.caller.bringsConfig
    ? byConfigText(exchange, config, choice)
    : completedConfig(exchange, saved(exchange, config.trim(), choice), choice);
};

const byConfigText = (exchange: HttpExchange, config: string, choice: PlanChoice): Chosen => {
  const { callerPlans } = choice;
  const member = headerMember(exchange);
  const chosen = callerPlans.get(config, member, exchange);
  // Most configs name their provider and need nothing here.
  if (!(chosen instanceof Promise) && 'linked' in chosen && !isProviderOpen(chosen, exchange)) return chosen;
  const complete = (named: SavedMember): Chosen => callerPlans.get(config, named, exchange);
  return whenChosen(chosen, (plan) => {
    // A config that names its own provider ignores the headers, and is refused for its own contents.
    if (!('linked' in plan) && member !== undefined && withSaved(config, member) !== config)
      refuseKeyMember(member, choice);
    return completedByModel(exchange, plan, { ...choice, complete });
  });
};

/** Throws an error that names the model if neither the plan nor the request names a provider, because then nothing can answer. */
const refuseOpen = (plan: Plan, exchange: HttpExchange, choice: PlanChoice, toHint: ToHint): Plan => {
  if (!isProviderOpen(plan, exchange) || requestModel(exchange) === undefined) return plan;
  throw gatewayError('missing-provider', { suggestion: toHint(exchange, choice) });
};

const refuseOpenLater = (chosen: Promise<Plan>, exchange: HttpExchange, choice: PlanChoice, toHint: ToHint): Chosen =>
  chosen.then((plan) => refuseOpen(plan, exchange, choice, toHint));

/** Returns the plan, if it or the request names a provider. */
const withProvider = (
  exchange: HttpExchange,
  chosen: Chosen,
  choice: PlanChoice,
  toHint: ToHint = slugOrProviderHint,
): Chosen =>
  chosen instanceof Promise
    ? refuseOpenLater(chosen, exchange, choice, toHint)
    : refuseOpen(chosen, exchange, choice, toHint);

/** Returns the plan of a request whose model is not a virtual model. */
const chooseNamedPlan = (exchange: HttpExchange, choice: PlanChoice): Chosen => {
  const { config, overrides } = exchange.caller;
  const { defaults } = exchange.principal;
  if (defaults?.config !== undefined && defaults.allowConfigOverride === false) {
    if (config !== undefined) throw gatewayError('config-override-refused', {});
    const ofThis = ofKey(exchange, defaults.config, choice);
    return withProvider(exchange, completedConfig(exchange, ofThis, choice), choice);
  }
  if (config !== undefined) return withProvider(exchange, byConfig(exchange, config, choice), choice);
  const member = usableMember(exchange, choice);
  if (member !== undefined) return choice.callerPlans.get('{}', member, exchange);
  if (overrides.provider !== undefined) return choice.requestPlan;
  const complete = (named: SavedMember): Chosen => choice.callerPlans.get('{}', named, exchange);
  const byDefault = findDefault(exchange, choice);
  if (byDefault !== undefined)
    return withProvider(exchange, completedConfig(exchange, byDefault, choice), choice, modelOrProviderHint);
  const otherwise = (): never => {
    throw missingProvider(exchange, choice);
  };
  return choosePlanByModel(exchange, { ...choice, complete, otherwise });
};

/**
 * Chooses the plan of a request: its config (completed by a virtual key or a saved provider if it names no provider), one of
 * these alone (as a minimal config), a provider by name with the caller's own credential, the virtual model that it names, or
 * else the default: that of the caller's key, then the gateway's. If none of them names a provider, the body's model may:
 * `@slug/model`. The config of a key that allows no other serves all its requests; a provider that they name completes it if it
 * has none. Throws the `GatewayError`s `unknown-config`, `config-override-refused`, `missing-key-config`,
 * `missing-default-config`, `missing-model-config`, `header-too-large`, `invalid-model` and `missing-provider`.
 */
export const choosePlan = (exchange: HttpExchange, choice: PlanChoice): Chosen =>
  mayNameVirtualModel(exchange, choice.ownModels)
    ? chooseVirtualModel(exchange, choice, () => chooseNamedPlan(exchange, choice))
    : chooseNamedPlan(exchange, choice);
