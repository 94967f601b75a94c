import { gatewayError } from '../../schema/errors/errors.ts';
import type { ServedPlan } from '../file-plans/served-plan.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { namedModel, requestModel } from '../json-bodies/read/named-model.ts';
import { leavesProviderOpen } from '../tenant-plans/complete-plan.ts';
import type { CompiledPlan } from '../tenant-plans/plan-cache.ts';
import type { SavedMember } from '../tenant-plans/with-saved.ts';
import type { KnownProviders } from './provider-of-model.ts';

/** The longest possible slug, in characters. */
const longestSlug = 200;
/** A longer model name does not begin with a provider. */
const longestModel = 500;

const isVirtualKeyAlone = (slug: string, { saved, virtualKeys }: KnownProviders): boolean =>
  !Object.hasOwn(saved, slug) && Object.hasOwn(virtualKeys, slug);

/** Virtual keys are named by a header or a config. Throws the `GatewayError` `invalid-model` for the slug of a virtual key. */
const refuseVirtualKey = (slug: string, known: KnownProviders): void => {
  if (!isVirtualKeyAlone(slug, known)) return;
  const reason = `it is saved as a virtual key. Send the header x-gw-virtual-key: ${slug}, and the model without "@${slug}/".`;
  throw gatewayError('invalid-model', { slug, reason });
};

/** Throws the `GatewayError` `invalid-header` if the header for providers names a virtual key, which has its own header. */
export const refuseKeyAsProvider = (slug: string, known: KnownProviders | undefined): void => {
  if (known === undefined || !isVirtualKeyAlone(slug, known)) return;
  const reason = `"${slug}" is saved as a virtual key, not as a provider. Send x-gw-virtual-key: ${slug} in its place.`;
  throw gatewayError('invalid-header', { header: 'x-gw-provider', reason });
};

/**
 * Returns the saved provider named in the model of the path or the body, as `@slug/model`. Throws the `GatewayError`
 * `invalid-model`.
 */
const modelMember = (exchange: HttpExchange, known: KnownProviders | undefined): SavedMember | undefined => {
  const slug = namedModel(exchange)?.slug;
  if (slug === undefined) return undefined;
  if (slug.length > longestSlug)
    throw gatewayError('invalid-model', { slug: `${slug.slice(0, longestSlug)}…`, reason: 'it is too long.' });
  if (known !== undefined) refuseVirtualKey(slug, known);
  return { name: 'provider', value: `@${slug}` };
};

export type Plan = CompiledPlan;
/** A promise only while the compiler loads or the body arrives. */
export type Chosen = Plan | Promise<Plan>;

export const whenChosen = (chosen: Chosen, next: (plan: Plan) => Chosen): Chosen =>
  chosen instanceof Promise ? chosen.then(next) : next(chosen);

/** Buffers a body that would be passed through. Undefined if there is no body to read. */
export type ReceiveBody = (exchange: HttpExchange) => Promise<void> | undefined;

export interface ModelChoice {
  readonly receive: ReceiveBody;
  /** Finds the providers that a model can begin with. If absent, there are none. */
  readonly knownProviders?: (() => KnownProviders) | undefined;
  /** Returns the plan with the provider named in the model. */
  readonly complete: (member: SavedMember) => Chosen;
  /** Returns the plan if the model names no provider. */
  readonly otherwise: () => Plan;
}

/**
 * Returns the hint with the name that was probably meant. Other hints are about the members of a config, which a request with
 * only a name does not have.
 */
export const meantHint = (hint: string): string | undefined => (hint.startsWith('Did you mean') ? hint : undefined);

/** Returns the plan, or throws an error about the model if it names a provider that cannot be used. */
const usable = (plan: Plan, { value }: SavedMember): ServedPlan => {
  if ('linked' in plan) return plan;
  const [{ message = 'the compiler produced no plan.', hint = '' } = {}] = plan.refused;
  const reason = [message, meantHint(hint) ?? []].flat().join(' ');
  throw gatewayError('invalid-model', { slug: value.replace(/^@/, ''), reason });
};

/** Returns the model if only the body names it and its beginning may be a provider: `openai/gpt-4o`. */
const slashedModel = (exchange: HttpExchange): string | undefined => {
  if (exchange.request.body.kind !== 'bytes' || exchange.route.model !== undefined) return undefined;
  const model = requestModel(exchange);
  return model?.includes('/') === true && model.length <= longestModel ? model : undefined;
};

/**
 * Returns the plan of a request that may name its provider only in its model: as `@slug/model`, or by the name of a provider
 * before the first slash. Throws, or rejects with, the `GatewayError`s `invalid-model` and `missing-provider`.
 */
export const choosePlanByModel = (
  exchange: HttpExchange,
  { receive, knownProviders, complete, otherwise }: ModelChoice,
): Chosen => {
  const take = (member: SavedMember | undefined): Chosen =>
    member === undefined ? otherwise() : whenChosen(complete(member), (plan) => usable(plan, member));
  const choose = (): Chosen => {
    const member = modelMember(exchange, knownProviders?.());
    const slashed = member === undefined && knownProviders !== undefined ? slashedModel(exchange) : undefined;
    if (slashed === undefined || knownProviders === undefined) return take(member);
    return import('./member-of-model.ts').then(({ memberOfModel }) =>
      take(memberOfModel(exchange, slashed, knownProviders())),
    );
  };
  const received = exchange.route.model === undefined ? receive(exchange) : undefined;
  return received === undefined ? choose() : received.then(choose);
};

/** Whether neither the plan nor a header names a provider. */
export const isProviderOpen = (plan: Plan, { caller: { virtualKey, overrides } }: HttpExchange): boolean =>
  virtualKey === undefined &&
  overrides.provider === undefined &&
  'linked' in plan &&
  leavesProviderOpen(plan.linked.plan);

/** Returns a plan, with the provider named in the model if nothing else names one. */
export const completedByModel = (exchange: HttpExchange, plan: Plan, choice: Omit<ModelChoice, 'otherwise'>): Chosen =>
  isProviderOpen(plan, exchange) ? choosePlanByModel(exchange, { ...choice, otherwise: () => plan }) : plan;
