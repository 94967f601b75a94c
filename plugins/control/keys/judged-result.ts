import { isNonEmpty } from '../../../schema/json.ts';
import { forbidden } from '../saved/forbidden.ts';
import { conflict, notFound, refuse } from '../saved/refusals.ts';
import type { Judged } from './judged.ts';

/**
 * What was asked for. Throws what there is instead, as a `GatewayError`: `invalid-input`, `forbidden`, `conflict`, or
 * `not-found` for the key with an id.
 */
export const judgedResult = <Result>(judged: Judged<Result>, id = ''): Result => {
  if ('ok' in judged) return judged.ok;
  if ('problems' in judged) refuse(judged.problems);
  if ('forbidden' in judged && isNonEmpty(judged.forbidden)) throw forbidden(judged.forbidden);
  if ('conflict' in judged) throw conflict(judged.conflict.message, judged.conflict.hint);
  throw notFound('service key', id, 'GET /v1/api-keys');
};
