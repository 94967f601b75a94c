import { gatewayError } from '../../schema/errors.ts';
import type { ServedPlan } from '../generations/served-plan.ts';
import type { RefusedPlan } from './caller-plans.ts';
import { leavesProviderOpen } from './complete-plan.ts';
import type { HttpExchange } from './http-exchange.ts';
import { modelMember } from './model-member.ts';
import type { SavedMember } from './with-saved.ts';

export type Plan = ServedPlan | RefusedPlan;
/** At once, or when the compiler is loaded or the body is in. */
export type Chosen = Plan | Promise<Plan>;

export const whenChosen = (chosen: Chosen, next: (plan: Plan) => Chosen): Chosen =>
  chosen instanceof Promise ? chosen.then(next) : next(chosen);

/** Receives a body that would be passed through; nothing where there is none to look into. */
export type ReceiveBody = (exchange: HttpExchange) => Promise<void> | undefined;

export interface ModelChoice {
  readonly receive: ReceiveBody;
  /** The plan with the provider that the model names. */
  readonly complete: (member: SavedMember) => Chosen;
  /** Serves where the model names none. */
  readonly otherwise: () => Plan;
}

/** A provider that cannot be used is the fault of the model that names it. */
const usable = (plan: Plan, { value }: SavedMember): ServedPlan => {
  if ('linked' in plan) return plan;
  const reason = plan.refused[0]?.message ?? 'the compiler produced no plan.';
  throw gatewayError('invalid-model', { slug: value.slice(1), reason });
};

/** The plan of a request that may name its provider in its model only. Throws the `GatewayError` `invalid-model`. */
export const choosePlanByModel = (exchange: HttpExchange, { receive, complete, otherwise }: ModelChoice): Chosen => {
  const choose = (): Chosen => {
    const member = modelMember(exchange);
    return member === undefined ? otherwise() : whenChosen(complete(member), (plan) => usable(plan, member));
  };
  const received = receive(exchange);
  return received === undefined ? choose() : received.then(choose);
};

/** Whether the request is yet to say which provider serves it: neither the plan nor a header does. */
export const isProviderOpen = (plan: Plan, { caller: { virtualKey, overrides } }: HttpExchange): boolean =>
  virtualKey === undefined &&
  overrides.provider === undefined &&
  'linked' in plan &&
  leavesProviderOpen(plan.linked.plan);

/** A plan, with the provider that the model names where nothing else names one. */
export const completedByModel = (exchange: HttpExchange, plan: Plan, choice: Omit<ModelChoice, 'otherwise'>): Chosen =>
  isProviderOpen(plan, exchange) ? choosePlanByModel(exchange, { ...choice, otherwise: () => plan }) : plan;
