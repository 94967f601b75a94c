import type { WireError } from '../../../../schema/conversation/answer.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import type { Dialect, Frame } from '../../../sdk/dialect/dialect.ts';
import { readHttpError } from '../../../sdk/http/http-error.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { defined } from '../../shared/json/defined.ts';
import type { DialectErrors } from '../../shared/parts/dialect-errors.ts';
import { errorStatus } from '../../shared/parts/error-status.ts';
import { streamErrorMessage } from '../../shared/parts/stream-error-message.ts';
import { encodeError, findInfo, findRetryInfo, retryInfoType, toName } from './encode-error.ts';
import { responseIn } from './frame.ts';

/** A protobuf duration in JSON: `34.074824224s`. */
const duration = /^(\d{1,12}(?:\.\d{1,9})?)s$/;

/**
 * Returns the `retryDelay` of an error in whole seconds, rounded up. The services send no header for it:
 * https://cloud.google.com/apis/design/errors#error_details
 */
const findRetryDelay = (error: JsonObject | undefined): number | undefined => {
  const details = toObjects(error?.details).find((detail) => detail['@type'] === retryInfoType);
  const [, seconds] = duration.exec(findText(details?.retryDelay) ?? '') ?? [];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds));
};

/** https://cloud.google.com/apis/design/errors#handling_errors: the HTTP status of each name. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['INVALID_ARGUMENT', 400],
  ['FAILED_PRECONDITION', 400],
  ['OUT_OF_RANGE', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['ABORTED', 409],
  ['ALREADY_EXISTS', 409],
  ['RESOURCE_EXHAUSTED', 429],
  ['CANCELLED', 499],
  ['INTERNAL', 500],
  ['UNKNOWN', 500],
  ['DATA_LOSS', 500],
  ['UNIMPLEMENTED', 501],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
]);

export const encodeStreamError = (report: ErrorReport): Frame => jsonFrame(encodeError(report));

/** Returns the provider's own status if this format has it, or else the one for the HTTP status. */
const encodeWireError = ({ type, message, code, retryAfterMs }: WireError, status: number): JsonObject => {
  const seconds = retryAfterMs === undefined ? undefined : retryAfterMs / 1000;
  const details = [...(findInfo(code) ?? []), ...findRetryInfo(seconds)];
  return {
    error: defined({
      code: status,
      message,
      status: type !== undefined && statuses.has(type) ? type : toName(status),
      details: details.length > 0 ? details : undefined,
    }),
  };
};

/** Writes a provider's error into a stream that has begun. An error without a status gets that of a bad gateway. */
export const encodeStreamWireError = (error: WireError): Frame =>
  jsonFrame(encodeWireError(error, error.status ?? 502));

const findReason = (error: JsonObject): string | undefined =>
  toObjects(error.details)
    .map(({ reason }) => findText(reason))
    .find((reason) => reason !== undefined);

const errorIn = (body: JsonObject | undefined): JsonObject | undefined => findObject(body?.error);

export const isError = ({ error }: JsonObject): boolean => error !== undefined && error !== null;

/** Returns the error in an answer's body. That of a stream may be in a list. */
const findError = (body: string): JsonObject | undefined => {
  const parsed = parseJson(body);
  return errorIn(findObject(parsed) ?? toObjects(parsed)[0]);
};

const retryAfter = (body: string): number | undefined => findRetryDelay(findError(body));

/** Decodes an error. The status becomes the error's type, and the reason its code. */
const decodeError = (status: number, body: string): WireError => {
  const read = readHttpError(status, body);
  const error = findError(body);
  if (error === undefined) return read;
  return defined({ message: read.message, type: findText(error.status), code: findReason(error), status });
};

export const decodeStreamError = (frame: Frame): WireError => {
  const body = responseIn(frame);
  const error = errorIn(body) ?? {};
  const type = findText(error.status);
  return defined({
    message: streamErrorMessage([findText(error.message), findText(body?.error), frame.data]),
    type,
    code: findReason(error),
    status: errorStatus(findNumber(error.code)) ?? (type === undefined ? undefined : statuses.get(type)),
  });
};

/** Error handling for dialects that use Google's errors. */
export const errors: DialectErrors & Pick<Dialect, 'retryAfter'> = {
  encodeStreamError,
  decodeError,
  retryAfter,
  encodeWireError,
  decodeStreamError,
};
