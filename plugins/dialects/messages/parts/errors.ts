import type { WireError } from '../../../../schema/conversation/answer.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Dialect, Frame } from '../../../sdk/dialect/dialect.ts';
import { findErrorCode } from '../../../sdk/http/http-error.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { defined } from '../../shared/json/defined.ts';
import { errorStatus } from '../../shared/parts/error-status.ts';
import { streamErrorMessage } from '../../shared/parts/stream-error-message.ts';
import { encodeError } from './encode-error.ts';

/** https://docs.anthropic.com/en/api/errors: the status of each type. */
const statuses: ReadonlyMap<string, number> = new Map([
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

export const encodeStreamError = (report: ErrorReport): Frame => jsonFrame(encodeError(report), 'error');

/** Returns the provider's own type if this format has it, or else the type for the status. */
export const encodeWireError = ({ type, message, code }: WireError, status: number): JsonObject => ({
  type: 'error',
  error: defined({
    type: type !== undefined && statuses.has(type) ? type : typeOfStatus(status),
    message,
    code,
  }),
});

/** Writes a provider's error into a stream that has begun. An error without a status gets that of a bad gateway. */
export const encodeStreamWireError = (error: WireError): Frame =>
  jsonFrame(encodeWireError(error, error.status ?? 502), 'error');

/**
 * Returns the error in an event without a type. Anthropic's own have one, but a service that runs its models, such as Vertex AI,
 * may report errors of its own in their streams.
 */
export const findUntypedError = (event: JsonObject | undefined): JsonObject | undefined =>
  event?.type === undefined ? findObject(event?.error) : undefined;

/** Whether Anthropic's client would not recognise an error. */
export const hidesError: NonNullable<Dialect['hidesError']> = ({ event, data }) =>
  event !== 'error' && findUntypedError(parseObject(data)) !== undefined;

export const decodeStreamError = ({ data }: Frame): WireError => {
  const error = findObject(parseObject(data)?.error) ?? {};
  const type = findText(error.type);
  return defined({
    message: streamErrorMessage([findText(error.message), data]),
    type,
    code: findErrorCode(error),
    status: type === undefined ? errorStatus(findNumber(error.code)) : statuses.get(type),
  });
};
