import { gatewayError } from '../../../schema/errors.ts';
import { invalidInput } from '../../../schema/invalid-input.ts';
import { isNonEmpty } from '../../../schema/json.ts';
import { forbidden } from '../saved/forbidden.ts';
import type { Judged } from './judged.ts';

const unknownKey = (id: string): Error =>
  gatewayError('not-found', {
    what: 'service key',
    name: id.slice(0, 100),
    suggestion: 'GET /v1/api-keys lists those that your own key can see.',
  });

/**
 * What was asked for. Throws what there is instead, as a `GatewayError`: `invalid-input`, `forbidden`, or `not-found` for the
 * key with an id.
 */
export const judgedResult = <Result>(judged: Judged<Result>, id = ''): Result => {
  if ('ok' in judged) return judged.ok;
  if ('problems' in judged && isNonEmpty(judged.problems)) throw invalidInput(judged.problems);
  if ('forbidden' in judged && isNonEmpty(judged.forbidden)) throw forbidden(judged.forbidden);
  throw unknownKey(id);
};
