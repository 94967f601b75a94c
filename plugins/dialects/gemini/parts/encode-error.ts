import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { headerValue } from '../../../sdk/http/http.ts';
import { defined } from '../../shared/json/defined.ts';

const names: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [408, 'DEADLINE_EXCEEDED'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [501, 'UNIMPLEMENTED'],
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
  [529, 'UNAVAILABLE'],
]);

/** Returns Google's name for an HTTP status. */
export const toName = (status: number): string =>
  names.get(status) ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');

const infoType = 'type.googleapis.com/google.rpc.ErrorInfo';

/** Returns the reason in Google's format: https://cloud.google.com/apis/design/errors#error_info */
export const findInfo = (reason: string | undefined, metadata?: JsonObject): readonly JsonObject[] | undefined =>
  reason === undefined
    ? undefined
    : [defined({ '@type': infoType, reason, domain: 'gatewright', metadata }) as JsonObject];

export const retryInfoType = 'type.googleapis.com/google.rpc.RetryInfo';

/** Returns a wait in Google's format. Its clients do not read `retry-after`: Gemini CLI retries for minutes. */
export const findRetryInfo = (seconds: number | string | undefined): readonly JsonObject[] =>
  seconds === undefined ? [] : [{ '@type': retryInfoType, retryDelay: `${seconds}s` }];

/** Writes `{"error": {code, message, status, details}}`, with the gateway's code as the reason. */
export const encodeError = ({ type, message, code, status, headers }: ErrorReport): JsonObject => ({
  error: {
    ...{ code: status, message, status: toName(status) },
    details: [...(findInfo(code, { type }) ?? []), ...findRetryInfo(headerValue(headers ?? [], 'retry-after'))],
  },
});
