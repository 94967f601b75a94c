import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import { GatewayError, gatewayError } from '../../../schema/errors/errors.ts';
import type { BodyBounds } from '../../http/body/collect-body.ts';
import { receiveAll } from '../../http/body/receive-body.ts';
import type { HttpExchange } from '../../http/exchange/http-exchange.ts';
import { readJson } from './read-json.ts';
import { type ValidatedPart, validateInput } from './validate-input.ts';

const json = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

const longestShown = 200;

/** Whether a route's body may be omitted. It then is an object without members. */
export const isOptionalBody = ({ type, required = [] }: ParameterSchema): boolean =>
  type === 'object' && required.length === 0;

/** Returns the bytes of a body. Undefined if the client disconnected before it sent them all. */
const received = async (exchange: HttpExchange, bounds: BodyBounds): Promise<Buffer | undefined> => {
  await receiveAll(exchange, bounds);
  const { body } = exchange.request;
  if (body.kind !== 'bytes') return undefined;
  if (body.bytes.length > bounds.bodyBytes) throw gatewayError('body-too-large', { limit: bounds.bodyBytes });
  return toBuffer(body.bytes);
};

const whole = (exchange: HttpExchange, bounds: BodyBounds): Promise<Buffer | undefined> =>
  received(exchange, bounds).catch((error: unknown) => {
    // The error of the data path recommends a path whose bodies are streamed.
    throw error instanceof GatewayError && error.report.code === 'body-too-large'
      ? gatewayError('input-too-large', { limit: bounds.bodyBytes })
      : error;
  });

/** Whether a request declares that it has no body. */
const isAbsent = ({ caller, connection, request }: HttpExchange): boolean =>
  connection === undefined ? request.body.kind === 'none' : !caller.hasBody;

/** Throws the `GatewayError` `invalid-content-type`. */
const checkType = ({ caller: { contentType } }: HttpExchange): void => {
  if (json.test(contentType ?? '')) return;
  const given = contentType === undefined ? 'absent' : `"${contentType.slice(0, longestShown)}"`;
  throw gatewayError('invalid-content-type', { given });
};

/**
 * Receives and checks the body of a request. Throws the `GatewayError`s `invalid-content-type`, `input-too-large`, `overloaded`,
 * `unsupported-encoding` and those of `readJson`.
 */
export const readBody = async (
  exchange: HttpExchange,
  { schema, bounds }: { readonly schema: ParameterSchema; readonly bounds: BodyBounds },
): Promise<ValidatedPart> => {
  const isOptional = isOptionalBody(schema);
  if (isAbsent(exchange)) {
    if (isOptional) return validateInput('body', schema, {});
    throw gatewayError('malformed-body', { reason: 'it is empty.' });
  }
  // Some clients that were given no body send an empty one in chunks, without a type.
  const mayBeEmpty = isOptional && exchange.caller.contentType === undefined;
  if (!mayBeEmpty) checkType(exchange);
  const bytes = await whole(exchange, bounds);
  if (isOptional && bytes?.length === 0) return validateInput('body', schema, {});
  checkType(exchange);
  return validateInput('body', schema, readJson(bytes ?? Buffer.alloc(0)));
};
