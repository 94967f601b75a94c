import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import type { WireError } from '../../../../schema/conversation/answer.ts';
import { contextOverflowCode, isContextOverflow } from '../../../../schema/errors/context-overflow.ts';
import { errorReport, GatewayError } from '../../../../schema/errors/errors.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { jsonError } from '../../../body/read/json-error.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { UsageMeter } from '../../../usage/usage-meter.ts';
import { decodeOptions } from '../../call/decode-options.ts';
import { encodeOptions } from '../../call/encode-options.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { withoutContentType } from '../../headers/answer-head.ts';
import type { AnswerTranslation as TranslatedBy } from '../../target/translation.ts';
import { countedUsage, withRequiredUsage } from '../../usage/required-usage.ts';
import { failureResponse } from './failure-response.ts';

export interface ProviderAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly bytes: Uint8Array;
}

export interface AnswerTranslation {
  readonly translation: TranslatedBy;
  readonly strict: boolean;
  readonly streamUsage: boolean;
  readonly clock: Clock;
  /** Absent if nothing consumes usage. */
  readonly meter: UsageMeter | undefined;
}

const parseObject = (bytes: Buffer): JsonObject => {
  const error = jsonError(bytes);
  if (error !== undefined) throw new TypeError(error);
  const value: unknown = fromJson(bytes.toString());
  if (!isJsonObject(value)) throw new TypeError('it is not a JSON object.');
  return value;
};

const translatedOperation = (
  call: LeafCall,
  original: JsonObject,
  { upstream, meter }: Pick<AnswerTranslation, 'meter'> & { readonly upstream: Dialect },
): JsonObject => {
  const asked = call.outgoing?.asked;
  if (asked === undefined) throw new TypeError('its request was not translated.');
  return asked.answer(original, () => countedUsage(call, { upstream, original, meter }));
};

const translatedBody = (call: LeafCall, bytes: Buffer, options: AnswerTranslation): JsonObject => {
  const { translation, meter } = options;
  const original = parseObject(bytes);
  meter?.body(original);
  if (translation.kind === 'count')
    return translation.clientCodec.encodeAnswer(translation.upstreamCodec.decodeAnswer(original));
  const { client, upstream } = translation;
  if (translation.kind === 'operation') return translatedOperation(call, original, { upstream, meter });
  const decoded = translation.upstreamCodec.decodeAnswer(original, decodeOptions(call));
  const answer = withRequiredUsage(call, decoded, { client, upstream, original, meter });
  call.original = { answer: original, dialect: upstream };
  return translation.clientCodec.encodeAnswer(answer, encodeOptions(call, options));
};

/** An upstream's answer with another body, which is JSON. */
export const jsonResponse = (call: LeafCall, { status, headers, bytes }: ProviderAnswer): GatewayResponse => ({
  status,
  headers: [...withoutContentType(headers), 'content-type', 'application/json'],
  origin: 'upstream',
  body: { kind: 'bytes', bytes },
  leaf: call.report,
});

/** The error with the code by which clients know that a conversation is too long for its model, if that is what it says. */
const withOverflowCode = (error: WireError, status: number): WireError =>
  isContextOverflow(status, error) ? { ...error, code: contextOverflowCode } : error;

/** Translates a whole answer to the client's dialect; errors keep their status and message. */
export const translateAnswer = (
  call: LeafCall,
  { status, headers, bytes }: ProviderAnswer,
  options: AnswerTranslation,
): GatewayResponse => {
  const { translation } = options;
  const body = toBuffer(bytes);
  const write = (written: JsonObject): GatewayResponse =>
    jsonResponse(call, { status, headers, bytes: Buffer.from(JSON.stringify(written)) });
  if (!isSuccess(status)) {
    const error = translation.upstream.decodeError(
      status,
      jsonError(body) === undefined ? body.toString() : '',
      headers,
    );
    return write(translation.client.encodeWireError(withOverflowCode(error, status), status));
  }
  try {
    return write(translatedBody(call, body, options));
  } catch (error) {
    if (error instanceof GatewayError) return failureResponse(call, error.report);
    const reason = errorText(error);
    return failureResponse(call, errorReport('unreadable-answer', { provider: call.target.provider.id, reason }));
  }
};
