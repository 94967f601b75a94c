import { isNonEmpty } from '../../../../schema/json/json.ts';
import { conflict, forbidden, notFound, refuse } from '../../kernel/requests/refusals.ts';
import type { Validated } from './validated.ts';

/**
 * Returns the result of a request that is valid. Throws a `GatewayError` for any other: `invalid-input`, `forbidden`, `conflict`, or
 * `not-found` for the key with an id.
 */
export const validatedResult = <Result>(validated: Validated<Result>, id = ''): Result => {
  if ('ok' in validated) return validated.ok;
  if ('problems' in validated) refuse(validated.problems);
  if ('forbidden' in validated && isNonEmpty(validated.forbidden)) throw forbidden(validated.forbidden);
  if ('conflict' in validated) throw conflict(validated.conflict.message, validated.conflict.hint);
  throw notFound('service key', id, 'GET /v1/api-keys');
};
