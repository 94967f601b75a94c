import { gatewayError } from '../../../schema/errors.ts';
import type { Json, JsonObject } from '../../../schema/json.ts';
import type { Target } from '../../../schema/plan.ts';
import type { LeafCall } from '../leaf-call.ts';
import { askedModel } from './asked-for.ts';
import { passedModel } from './passed-model.ts';

type Asking = Pick<LeafCall, 'exchange' | 'dialect'>;

/** Throws the `GatewayError` `model-not-allowed` if a target's saved provider may not be called with a call's model. */
export type AllowedModelGuard = (call: Asking, edits: JsonObject | undefined) => void;

const nothing: AllowedModelGuard = () => {};

const longestShown = 100;

const namesIn = (list: Json | undefined): ReadonlySet<string> | undefined =>
  Array.isArray(list) ? new Set(list.map(String)) : undefined;

export const allowedModelGuard = (target: Target): AllowedModelGuard => {
  if (target.allowedModels === undefined) return nothing;
  const only = namesIn(target.allowedModels.only);
  const except = namesIn(target.allowedModels.except);
  const slug = target.from.kind === 'saved' ? target.from.slug : '';
  return (call, edits) => {
    const isPassed = call.exchange.route.operation === 'opaque';
    const found = isPassed ? passedModel(call, edits) : { model: askedModel(call, edits) };
    if (found === 'unreadable')
      throw gatewayError('model-not-allowed', { slug, what: 'a body that the gateway does not read a model from' });
    const { model } = found;
    // That a model is missing is told elsewhere, where one is needed.
    if (model === undefined || (only?.has(model) !== false && except?.has(model) !== true)) return;
    throw gatewayError('model-not-allowed', { slug, what: `the model "${model.slice(0, longestShown)}"` });
  };
};
