import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { answerObject } from '../../../body/read/answer-object.ts';
import { decodeOptions } from '../../call/decode-options.ts';
import type { LeafCall } from '../../call/leaf-call.ts';

const isError = ({ error, type, object }: JsonObject): boolean =>
  (error !== undefined && error !== null) || type === 'error' || object === 'error';

/** Whether a body that nobody has decoded so far can be decoded as an answer which says something. */
const isDecodable = (call: LeafCall, body: JsonObject): boolean => {
  const codec = call.readDialect === undefined ? undefined : findAnswerCodec(call.readDialect);
  if (codec === undefined) return true;
  try {
    return codec.decodeAnswer(body, decodeOptions(call)).choices.length > 0;
  } catch {
    return false;
  }
};

/**
 * Whether the whole body of a 200 is an answer. Some services send their errors that way, and a response that is made in
 * the background is not there yet. What was translated was decoded.
 */
export const isAnswer = (call: LeafCall, bytes: Uint8Array): boolean => {
  const translation = call.outgoing?.translation;
  if (translation !== undefined && translation.kind !== 'same') return true;
  const body = answerObject(call, bytes);
  return body !== undefined && !isError(body) && isDecodable(call, body);
};
