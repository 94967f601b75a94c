import { type GatewayError, gatewayError } from '../../../schema/errors/errors.ts';
import type { AllowsModel } from './allows-model.ts';
import { type NamedModels, shownModel } from './named-models.ts';

/** Returns the first model named by a request that may not be called, or undefined if there is none. */
export const refusedModel = (named: NamedModels, allows: AllowsModel): string | undefined => {
  if (named.kind !== 'named') return undefined;
  return allows(named.model) ? named.further.find((model) => !allows(model)) : named.model;
};

/** Creates the `GatewayError` `model-not-allowed`, for a model that the list of a saved provider does not allow. */
export const modelNotAllowed = (slug: string, model: string): GatewayError =>
  gatewayError('model-not-allowed', { slug, what: `the model "${shownModel(model)}"` });
