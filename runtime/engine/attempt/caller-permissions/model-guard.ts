import { allowsModel } from '../../../../plugins/sdk/models/allows-model.ts';
import { callsNoModel } from '../../../../plugins/sdk/models/calls-no-model.ts';
import { shownModel } from '../../../../plugins/sdk/models/named-models.ts';
import { modelNotAllowed, refusedModel } from '../../../../plugins/sdk/models/refused-model.ts';
import { type GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Target } from '../../../../schema/plan/plan.ts';
import { refuseAmbiguous } from '../../../json-bodies/read/refuse-ambiguous.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { allowedModels } from '../../target/allowed-models.ts';
import { askedModels } from './asked-models.ts';

/**
 * Refuses a call if a list or a limit depends on its model, and the list does not allow it or the model is unclear. Throws the
 * `GatewayError`s `model-not-allowed`, `unclear-model` and `malformed-body`. `isPassed`: whether the request is passed through,
 * as every opaque one is.
 */
export type ModelGuard = (call: LeafCall, edits: JsonObject | undefined, isPassed?: boolean) => void;

const shown = (model: string): string => JSON.stringify(shownModel(model));

const unclear = (reason: string): GatewayError => gatewayError('unclear-model', { reason });

/** Whether the settings of a target determine what a modelled operation calls if it names no model. */
const isSet = ({ target: { provider, settings } }: LeafCall, isPassed: boolean): boolean =>
  !isPassed && (provider.settingsModels?.(settings) ?? []).length > 0;

/**
 * Whether the model of a passed-through request does not matter: it calls none, or it comes from a plugin, which knows what it
 * calls.
 */
const isFree = ({ exchange: { isDispatched, request } }: LeafCall, isPassed: boolean): boolean =>
  isPassed && (isDispatched === true || callsNoModel(request));

/** Returns the model that a caller's own settings call, whatever model the request names. */
const settingsOfCaller = (
  { target: { provider, settings, isOperators } }: LeafCall,
  { chosenModels = [] }: Target,
  callerPlan: boolean,
): readonly string[] => [
  ...(callerPlan ? chosenModels : []),
  ...(isOperators ? [] : (provider.settingsModels?.(settings) ?? [])),
];

/** Created once per target. If neither a list nor a limit depends on the model, nothing is read. */
export const modelGuard = (target: Target, { callerPlan }: { readonly callerPlan: boolean }): ModelGuard => {
  const list = allowedModels(target);
  const allows = list === undefined ? () => true : allowsModel(list);
  const slug = target.from.kind === 'saved' ? target.from.slug : '';

  return (call, edits, isPassed = call.exchange.route.operation === 'opaque') => {
    const isLimited = call.run.limited?.readsModels === true;
    if (!isLimited && list === undefined) return;
    const { exchange } = call;
    if (exchange.route.isStorage === true) return;
    for (const model of target.chosenModels ?? []) if (!allows(model)) throw modelNotAllowed(slug, model);
    const asked = askedModels(call, edits, isPassed);
    const refused = refusedModel(asked, allows);
    if (refused !== undefined) throw modelNotAllowed(slug, refused);
    if (isFree(call, isPassed)) return;
    if (asked.kind === 'unclear') throw unclear(asked.reason);
    refuseAmbiguous(exchange);
    if (asked.kind === 'none' && !isSet(call, isPassed)) throw unclear('it names none.');
    if (!isLimited || asked.kind !== 'named' || isPassed) return;
    const other = settingsOfCaller(call, target, callerPlan).find((model) => model !== asked.model);
    if (other !== undefined)
      throw unclear(`it names ${shown(asked.model)}, and its settings the deployment ${shown(other)}.`);
  };
};
