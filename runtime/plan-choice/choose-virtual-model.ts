import { type VirtualTarget, virtualTargetName } from '../../schema/config/virtual-models.ts';
import { gatewayError } from '../../schema/errors/errors.ts';
import { leavesWithoutModel } from '../../schema/plan/leaves-without-model.ts';
import type { ServedPlan } from '../file-plans/served-plan.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { requestModel } from '../json-bodies/read/named-model.ts';
import { refuseAmbiguous } from '../json-bodies/read/refuse-ambiguous.ts';
import type { OwnModels } from '../tenant-plans/virtual-models.ts';
import { type Chosen, type Plan, type ReceiveBody, whenChosen } from './choose-plan-by-model.ts';
import { reasonOf } from './refused-config.ts';

/** The parts of a choice of plans that virtual models need. */
export interface VirtualChoice {
  readonly receive: ReceiveBody;
  /** The virtual models of the caller's tenant. They take precedence over those of the gateway file. Default: none. */
  readonly ownModels?: OwnModels | undefined;
}

interface FoundModel {
  readonly target: VirtualTarget;
  readonly plan: Chosen | undefined;
}

const findModel = (
  { generationRef }: HttpExchange,
  name: string,
  { ownModels }: VirtualChoice,
): FoundModel | undefined => {
  const own = ownModels?.get(name);
  if (own !== undefined) return { target: own.target, plan: own.plan() };
  const ofFile = generationRef?.generation.models.get(name);
  return ofFile && { target: ofFile.target, plan: ofFile.served };
};

const describe = (target: VirtualTarget): string =>
  target.kind === 'config' ? `the config "${target.config}"` : `a model of the provider "${target.slug}"`;

/** Plans all of whose leaves set their models. Those of the gateway's own files were checked when they were read. */
const checked = new WeakSet<ServedPlan>();

const isWhole = (plan: ServedPlan): boolean => {
  if (plan.origin === 'file' || checked.has(plan)) return true;
  if (leavesWithoutModel(plan.linked.plan).length > 0) return false;
  checked.add(plan);
  return true;
};

/**
 * A plan that was refused, or that calls the model that the request names, cannot serve, because a virtual model's name is no
 * provider's model.
 */
const usable = (plan: Plan, name: string, target: VirtualTarget): Plan => {
  if ('linked' in plan && isWhole(plan)) return plan;
  const reason = 'linked' in plan ? 'not all of its targets set a model.' : reasonOf(plan);
  throw gatewayError('missing-model-config', { name, what: describe(target), reason });
};

const chooseNamed = (exchange: HttpExchange, choice: VirtualChoice): Chosen | undefined => {
  const name = requestModel(exchange);
  const found = name === undefined ? undefined : findModel(exchange, name, choice);
  if (name === undefined || found === undefined) return undefined;
  const { target, plan } = found;
  // Another reader of the body must not find another model in it.
  refuseAmbiguous(exchange);
  if (plan === undefined)
    throw gatewayError('missing-model-config', { name, what: describe(target), reason: reasonOf(plan) });
  exchange.virtualModel = { name, standsFor: virtualTargetName(target) };
  return whenChosen(plan, (made) => usable(made, name, target));
};

/**
 * Returns the plan of the virtual model that a request names, or else calls `otherwise`. The body of a request that may name one
 * is read for this. Throws, or rejects with, the `GatewayError`s `missing-model-config` and `malformed-body`.
 */
export const chooseVirtualModel = (exchange: HttpExchange, choice: VirtualChoice, otherwise: () => Chosen): Chosen => {
  const choose = (): Chosen => chooseNamed(exchange, choice) ?? otherwise();
  const received = exchange.route.model === undefined ? choice.receive(exchange) : undefined;
  return received === undefined ? choose() : received.then(choose);
};
