import { gatewayError } from '../../../schema/errors/errors.ts';
import type { Endpoint, EndpointCall } from './provider.ts';

const place = '{model}';

/** Whether the path of an endpoint contains the model. */
export const hasModelPlace = (endpoint: string): boolean => endpoint.includes(place);

const findError = (model: string | undefined): string | undefined => {
  if (model === undefined || model === '') return 'the request names none.';
  if (model === '.' || model === '..') return `it cannot be "${model}".`;
  return model.isWellFormed() ? undefined : 'its name is not valid Unicode.';
};

/**
 * Returns the path of an endpoint with the model filled in as one segment, or as part of one. The model is percent-encoded, so
 * that no name can add a segment or a query. Throws the `GatewayError` `missing-model`.
 */
export const fillModel = (
  endpoint: string,
  { model, provider }: { readonly model: string | undefined; readonly provider: string },
): string => {
  const reason = findError(model);
  if (model === undefined || reason !== undefined)
    throw gatewayError('missing-model', { provider, reason: reason ?? 'the request names none.' });
  return endpoint.replaceAll(place, () => encodeURIComponent(model));
};

/** Returns the path of an endpoint for a call. */
export const toPath = (
  endpoint: Endpoint,
  { call, provider }: { readonly call: EndpointCall; readonly provider: string },
): string => {
  if (typeof endpoint !== 'string') return endpoint(call);
  return hasModelPlace(endpoint) ? fillModel(endpoint, { model: call.model, provider }) : endpoint;
};
