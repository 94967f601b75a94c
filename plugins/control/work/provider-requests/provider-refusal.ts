import { GatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import { readHttpError } from '../../../sdk/http/http-error.ts';
import type { JsonReply } from '../../../sdk/route/route-row.ts';
import { xmlValue } from '../../kernel/blobs/s3/put-object.ts';
import { type ControlRoute, withRecovery } from '../../kernel/requests/control-route.ts';

/** An unexpected response of a provider to a job's request; it becomes the reply to the client. */
export class ProviderRefusal extends Error {
  readonly reply: JsonReply;

  constructor(reply: JsonReply) {
    super(`The provider answered ${reply.status}.`);
    this.name = 'ProviderRefusal';
    this.reply = reply;
  }
}

/** Checks whether a provider reported that it does not have what was requested. */
export const isGone = (error: unknown): boolean => error instanceof ProviderRefusal && error.reply.status === 404;

/**
 * Checks whether an error is one that a provider request can cause: no response, a refusal, or an account that no longer exists.
 */
export const isProviderError = (error: unknown): boolean =>
  error instanceof GatewayError || error instanceof ProviderRefusal;

/** The longest message from a body that is not JSON, in characters. */
const maxMessage = 1000;

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

const toType = (status: number): string => types[status] ?? (status < 500 ? 'invalid_request_error' : 'gateway_error');

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const storageError = (xml: string): JsonObject | undefined => {
  const code = xmlValue(xml, 'Code');
  return code === undefined ? undefined : { code, message: xmlValue(xml, 'Message') ?? code };
};

/** Converts an error to OpenAI's form: https://platform.openai.com/docs/guides/error-codes */
export const errorBody = (status: number, text: string): JsonObject => {
  const body = parseObject(text) ?? storageError(text);
  const error = findObject(body?.error);
  // An error with `param` is already in this form.
  if (body !== undefined && error !== undefined && Object.hasOwn(error, 'param')) return body;
  const { message, code, type } = readHttpError(status, body === undefined ? text : JSON.stringify(body));
  // Google's status is a name, and its code the HTTP status.
  const name = findText(error?.status) ?? code ?? type ?? null;
  const shown = body === undefined ? message.slice(0, maxMessage) : message;
  return { error: { message: shown, type: toType(status), param: null, code: name } };
};

const kept = ['retry-after', 'x-request-id'];

/** Creates the refusal for an unsuccessful response, in OpenAI's form, whatever the provider's form is. */
export const toRefusal = (status: number, headers: RawHeaders, text: string): ProviderRefusal =>
  new ProviderRefusal({
    status: status < 400 ? 502 : status,
    body: errorBody(status, text),
    headers: kept.flatMap((name) => {
      const value = headerValue(headers, name);
      return value === undefined ? [] : [name, value];
    }),
  });

/** Makes routes reply with the refusals of their providers. */
export const withRefusals = (rows: readonly ControlRoute[]): readonly ControlRoute[] =>
  withRecovery(rows, (error) => {
    if (error instanceof ProviderRefusal) return error.reply;
    throw error;
  });
