import type { GatewayResponse } from '../../../plugins/sdk/http.ts';
import { toBuffer } from '../../../plugins/sdk/to-buffer.ts';
import { errorReport } from '../../../schema/errors.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import { isSuccess } from '../../../schema/status.ts';
import type { Clock } from '../../ports/clock.ts';
import { withoutContentType } from '../headers/answer-head.ts';
import type { LeafCall } from '../leaf-call.ts';
import type { Translation } from '../target/translation.ts';
import { encodeOptions } from './encode-options.ts';
import { failureResponse } from './failure-response.ts';

export interface ProviderAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly bytes: Uint8Array;
}

export interface AnswerTranslation {
  readonly translation: Extract<Translation, { kind: 'translate' }>;
  readonly strict: boolean;
  readonly streamUsage: boolean;
  readonly clock: Clock;
}

const parseObject = (text: string): JsonObject => {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new TypeError('it is not a JSON object.');
  return value;
};

const translatedBody = (call: LeafCall, text: string, options: AnswerTranslation): JsonObject => {
  const { translation } = options;
  const answer = translation.upstreamCodec.decodeAnswer(parseObject(text));
  return translation.clientCodec.encodeAnswer(answer, encodeOptions(call, options));
};

/** A whole answer of the provider's dialect in the client's; its errors keep their status and their words. */
export const translateAnswer = (
  call: LeafCall,
  { status, headers, bytes }: ProviderAnswer,
  options: AnswerTranslation,
): GatewayResponse => {
  const { translation } = options;
  const text = toBuffer(bytes).toString('utf8');
  const write = (body: JsonObject): GatewayResponse => ({
    status,
    headers: [...withoutContentType(headers), 'content-type', 'application/json'],
    origin: 'upstream',
    body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
    leaf: call.report,
  });
  if (!isSuccess(status))
    return write(translation.client.encodeWireError(translation.upstream.decodeError(status, text), status));
  try {
    return write(translatedBody(call, text, options));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failureResponse(call, errorReport('unreadable-answer', { provider: call.target.provider.id, reason }));
  }
};
