import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

/** https://docs.anthropic.com/en/api/errors: the status of each type. */
export const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['conflict_error', 409],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

const types: ReadonlyMap<number, string> = new Map([
  ...[...statuses].map(([type, status]): [number, string] => [status, type]),
  [408, 'timeout_error'],
  [503, 'overloaded_error'],
]);

const typeOfStatus = (status: number): string =>
  types.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error');

/** Returns the type of an error if this format has it, or else the type for the status. */
export const toType = (type: string | undefined, status: number): string =>
  type !== undefined && statuses.has(type) ? type : typeOfStatus(status);

/**
 * Writes `{"type": "error", "error": {type, message}}`, with the gateway's code added. Of the gateway's own types, only
 * `hooks_failed` is kept, by which programs of every format recognize a denied request.
 */
export const encodeError = ({ type, message, code, status }: ErrorReport): JsonObject => ({
  type: 'error',
  error: { type: type === 'hooks_failed' ? type : toType(type, status), message, code },
});
