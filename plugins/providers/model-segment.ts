import { gatewayError } from '../../schema/errors.ts';

const faultOf = (model: string): string | undefined => {
  if (model === '') return 'the request names none.';
  if (model === '.' || model === '..') return `it cannot be "${model}".`;
  return model.isWellFormed() ? undefined : 'its name is not valid Unicode.';
};

/**
 * The name of a model as one segment of a path, for endpoints that are functions. Throws the `GatewayError`
 * `missing-model` if it cannot be one.
 */
export const modelSegment = (provider: string, model = ''): string => {
  const reason = faultOf(model);
  if (reason !== undefined) throw gatewayError('missing-model', { provider, reason });
  return encodeURIComponent(model);
};
