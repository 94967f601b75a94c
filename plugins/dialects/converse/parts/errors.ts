import type { WireError } from '../../../../schema/conversation/answer.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import { readHttpError } from '../../../sdk/http/http-error.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { defined } from '../../shared/json/defined.ts';
import type { DialectErrors } from '../../shared/parts/dialect-errors.ts';
import { streamErrorMessage } from '../../shared/parts/stream-error-message.ts';
import { errorBody, toName } from './encode-error.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_Errors */
const statuses: ReadonlyMap<string, number> = new Map([
  ['ValidationException', 400],
  ['AccessDeniedException', 403],
  ['ResourceNotFoundException', 404],
  ['ModelTimeoutException', 408],
  ['ModelErrorException', 424],
  ['ModelStreamErrorException', 424],
  ['ThrottlingException', 429],
  ['ModelNotReadyException', 429],
  ['ServiceQuotaExceededException', 400],
  ['InternalServerException', 500],
  ['ServiceUnavailableException', 503],
]);

/** The exceptions that a stream may end with. */
const streamed: ReadonlySet<string> = new Set([
  'ValidationException',
  'ModelStreamErrorException',
  'ThrottlingException',
  'InternalServerException',
  'ServiceUnavailableException',
]);

/** Returns the name of an exception in a stream, which begins with a small letter. */
const inStream = (name: string): string => {
  const known = streamed.has(name) ? name : 'InternalServerException';
  return known.charAt(0).toLowerCase() + known.slice(1);
};

const fromStream = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const exception = (name: string, message: string, reason: string | undefined): Frame => ({
  ...jsonFrame(defined({ message, reason }), inStream(name)),
  headers: { ':message-type': 'exception' },
});

export const encodeStreamError = ({ status, message, code }: ErrorReport): Frame =>
  exception(toName(status), message, code);

const nameOfError = ({ type }: WireError, status: number): string =>
  type !== undefined && statuses.has(type) ? type : toName(status);

/** Returns the provider's own exception if this format has it, or else the one for the status. */
const encodeWireError = (error: WireError, status: number): JsonObject =>
  errorBody(nameOfError(error, status), error.message, error.code);

export const encodeStreamWireError = (error: WireError): Frame =>
  exception(nameOfError(error, error.status ?? 502), error.message, error.code);

/** Extracts the name from `namespace#Name:https://…`: https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html */
const plainName = (text: string | undefined): string | undefined => text?.split(':').at(0)?.split('#').at(-1);

/** Decodes an error. Its kind is in a header, or else in the body. Some AWS services write `Message`. */
const decodeError = (status: number, body: string, headers: RawHeaders = []): WireError => {
  const wire = parseObject(body);
  const type = plainName(headerValue(headers, 'x-amzn-errortype') ?? findText(wire?.__type));
  const message = findText(wire?.message) === undefined ? findText(wire?.Message) : undefined;
  const read = readHttpError(status, message === undefined ? body : JSON.stringify({ message }));
  return defined({ ...read, type: type === '' ? undefined : type, code: findText(wire?.reason) ?? read.code });
};

/** Decodes an error in a stream. An exception is named by its event, any other error by its headers. */
export const decodeStreamError = ({ event, data, headers = {} }: Frame): WireError => {
  const wire = parseObject(data) ?? {};
  const type = event === undefined ? headers[':error-code'] : fromStream(event);
  return defined({
    message: streamErrorMessage([findText(wire.message), findText(wire.Message), headers[':error-message'], data]),
    type,
    code: findText(wire.reason),
    status: type === undefined ? undefined : statuses.get(type),
  });
};

/** Error handling for dialects that use Amazon's errors. */
export const errors: DialectErrors = { encodeStreamError, decodeError, encodeWireError, decodeStreamError };
