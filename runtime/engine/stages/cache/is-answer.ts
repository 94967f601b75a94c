import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import type { ListSplit } from '../../../../plugins/sdk/dialect/list-split.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { answerObject } from '../../../json-bodies/read/answer-object.ts';
import { decodeOptions } from '../../call/decode-options.ts';
import type { LeafCall } from '../../call/leaf-call.ts';

const isError = ({ error, type, object }: JsonObject): boolean =>
  (error !== undefined && error !== null) || type === 'error' || object === 'error';

/** Throws an `Error` if a list lacks part of what was requested. */
const checkList = ({ exchange }: LeafCall, body: JsonObject, split: ListSplit): void => {
  const count = split.count(exchange.json());
  if (count !== undefined) split.check(body, count);
};

/** Whether a body has the content of a dialect's answers. Throws an `Error` for some that do not. */
const saysSomething = (call: LeafCall, dialect: Dialect, body: JsonObject): boolean => {
  const codec = findAnswerCodec(dialect);
  if (codec !== undefined) return codec.decodeAnswer(body, decodeOptions(call)).choices.length > 0;
  dialect.count?.decodeAnswer(body);
  if (dialect.split !== undefined) checkList(call, body, dialect.split);
  return dialect.answerMembers?.some((name) => (body[name] ?? null) !== null) !== false;
};

/** Whether a body that has not been decoded so far can be decoded as an answer with content. */
const isDecodable = (call: LeafCall, body: JsonObject): boolean => {
  const { readDialect: dialect } = call;
  if (dialect === undefined) return true;
  try {
    return saysSomething(call, dialect, body);
  } catch {
    return false;
  }
};

/**
 * Whether the whole body of a 200 is an answer. Some services send their errors with a 200, and a response created in the
 * background is not ready yet. Translated answers were already decoded.
 */
export const isAnswer = (call: LeafCall, bytes: Uint8Array): boolean => {
  const translation = call.outgoing?.translation;
  if (translation !== undefined && translation.kind !== 'same') return true;
  const body = answerObject(call, bytes);
  return body !== undefined && !isError(body) && isDecodable(call, body);
};
