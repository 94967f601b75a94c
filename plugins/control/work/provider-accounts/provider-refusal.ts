import { GatewayError } from '../../../../schema/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
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

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

const toType = (status: number): string => types[status] ?? (status < 500 ? 'invalid_request_error' : 'gateway_error');

const shown = (value: Json | undefined): string | undefined =>
  findText(value) ?? (value === undefined || value === null ? undefined : JSON.stringify(value));

/**
 * Finds the message of an error under the names that vendors use for it:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html and others.
 */
const findMessage = (body: JsonObject): string | undefined =>
  shown(findObject(body.error)?.message ?? body.error ?? body.message ?? body.Message ?? body.detail);

const readCode = (body: JsonObject): string | null => {
  const error = findObject(body.error) ?? body;
  return findText(error.status) ?? findText(error.code) ?? findText(error.type) ?? null;
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const storageError = (xml: string): JsonObject => {
  const code = xmlValue(xml, 'Code');
  return code === undefined ? {} : { code, message: xmlValue(xml, 'Message') ?? code };
};

/** Converts an error to OpenAI's form: https://platform.openai.com/docs/guides/error-codes */
export const errorBody = (status: number, text: string): JsonObject => {
  const body = parseObject(text) ?? storageError(text);
  const { error } = body;
  // An error with `param` is already in this form.
  if (isJsonObject(error) && Object.hasOwn(error, 'param')) return body;
  const message = findMessage(body) ?? (text.slice(0, 1000) || `The provider answered ${status} without a body.`);
  return { error: { message, type: toType(status), param: null, code: readCode(body) } };
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
