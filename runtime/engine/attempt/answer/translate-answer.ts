import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { WrittenAnswer } from '../../../../plugins/sdk/dialect/operation-translation.ts';
import { RefusedOperation } from '../../../../plugins/sdk/dialect/refused-operation.ts';
import { framings } from '../../../../plugins/sdk/framings/framings.ts';
import { type GatewayResponse, headerValue } from '../../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { requireNames } from '../../../../schema/conversation/answer-parts.ts';
import { withOverflowCode } from '../../../../schema/errors/context-overflow.ts';
import { errorReport, GatewayError } from '../../../../schema/errors/errors.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import type { fromJson } from '../../../../schema/json/from-json.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { retryAfterMs } from '../../../../schema/plan/schedule.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { toSentence } from '../../../../schema/text/to-sentence.ts';
import { answerReader } from '../../../json-bodies/read/answer-object.ts';
import { jsonError } from '../../../json-bodies/read/json-error.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { UsageMeter } from '../../../usage/usage-meter.ts';
import { countedUsage, withRequiredUsage } from '../../attempt-usage/required-usage.ts';
import { clientFraming } from '../../call/client-framing.ts';
import { decodeOptions } from '../../call/decode-options.ts';
import { encodeOptions } from '../../call/encode-options.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { withoutContentType } from '../../forwarded-headers/answer-head.ts';
import type { AnswerTranslation as TranslatedBy } from '../../target/translation.ts';
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

const parseObject = (bytes: Buffer, read: typeof fromJson): JsonObject => {
  const error = jsonError(bytes);
  if (error !== undefined) throw new TypeError(error);
  const value: unknown = read(bytes.toString());
  if (!isJsonObject(value)) throw new TypeError('it is not a JSON object.');
  return value;
};

const translatedOperation = (
  call: LeafCall,
  original: JsonObject,
  { upstream, meter, clock }: Pick<AnswerTranslation, 'meter' | 'clock'> & { readonly upstream: Dialect },
): WrittenAnswer => {
  const asked = call.outgoing?.asked;
  if (asked === undefined) throw new TypeError('its request was not translated.');
  return asked.answer(original, {
    usage: () => countedUsage(call, { upstream, original, meter }),
    created: Math.floor(clock.wall() / 1000),
  });
};

const translated = (call: LeafCall, bytes: Buffer, options: AnswerTranslation): WrittenAnswer => {
  const { translation, meter, clock } = options;
  const original = parseObject(bytes, answerReader(call));
  meter?.body(original);
  if (translation.kind === 'count')
    return {
      kind: 'body',
      body: translation.clientCodec.encodeAnswer(translation.upstreamCodec.decodeAnswer(original)),
    };
  const { client, upstream } = translation;
  if (translation.kind === 'operation') return translatedOperation(call, original, { upstream, meter, clock });
  const decoded = translation.upstreamCodec.decodeAnswer(original, decodeOptions(call));
  requireNames(decoded);
  const answer = withRequiredUsage(call, decoded, { client, upstream, original, meter });
  call.original = { answer: original, dialect: upstream };
  return { kind: 'body', body: translation.clientCodec.encodeAnswer(answer, encodeOptions(call, options)) };
};

/** Returns the bytes of a complete stream as an answer. */
const streamResponse = (
  call: LeafCall,
  { frames }: Extract<WrittenAnswer, { readonly kind: 'frames' }>,
  { status, headers }: ProviderAnswer,
): GatewayResponse => {
  const { contentType, createWriter } = framings[clientFraming(call)];
  const writer = createWriter();
  return {
    status,
    headers: [...withoutContentType(headers), 'content-type', contentType],
    origin: 'upstream',
    body: { kind: 'bytes', bytes: Buffer.concat([writer.write(frames), writer.end()]) },
    leaf: call.report,
  };
};

/** Returns an upstream's answer with another body, which is JSON. */
export const jsonResponse = (call: LeafCall, { status, headers, bytes }: ProviderAnswer): GatewayResponse => ({
  status,
  headers: [...withoutContentType(headers), 'content-type', 'application/json'],
  origin: 'upstream',
  body: { kind: 'bytes', bytes },
  leaf: call.report,
});

/** Translates a whole answer to the client's dialect. Errors keep their status and message. */
export const translateAnswer = (
  call: LeafCall,
  received: ProviderAnswer,
  options: AnswerTranslation,
): GatewayResponse => {
  const { translation, meter } = options;
  const { status, headers, bytes } = received;
  const body = toBuffer(bytes);
  const write = (written: JsonObject): GatewayResponse =>
    jsonResponse(call, { status, headers, bytes: Buffer.from(JSON.stringify(written)) });
  if (!isSuccess(status)) {
    const text = jsonError(body) === undefined ? body.toString() : '';
    const error = withOverflowCode(translation.upstream.decodeError(status, text, headers), status);
    const wait = retryAfterMs((name) => headerValue(headers, name), options.clock.wall());
    const timed = wait === undefined ? error : { ...error, retryAfterMs: wait };
    return write(translation.client.encodeWireError(timed, status));
  }
  try {
    const answer = translated(call, body, options);
    return answer.kind === 'body' ? write(answer.body) : streamResponse(call, answer, received);
  } catch (error) {
    if (error instanceof GatewayError) return failureResponse(call, error.report);
    if (error instanceof RefusedOperation) {
      const { wire } = error;
      meter?.refuse();
      const refusal = Buffer.from(JSON.stringify(translation.client.encodeWireError(wire, wire.status)));
      return jsonResponse(call, { status: wire.status, headers, bytes: refusal });
    }
    const reason = toSentence(errorText(error));
    return failureResponse(call, errorReport('unreadable-answer', { provider: call.target.provider.id, reason }));
  }
};
