import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseExactObject, parseObject } from '../../../../schema/json/parse-json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import { isErrorChunk } from '../parts/broken-off.ts';
import { decodeStreamError } from '../parts/errors.ts';

/** A frame of a stream of chunks: a chunk of the answer, or the event that ends the answer. */
export type ReadChunk = { readonly chunk: JsonObject } | { readonly last: AnswerEvent };

const broken: ReadChunk = { last: { kind: 'error', error: { message: 'A chunk is not a JSON object.' } } };

/**
 * Parses a chunk. Some providers send the arguments of a call as an object. No other member has long numbers whose digits must
 * all be kept.
 */
const readObject = (data: string): JsonObject | undefined =>
  data.includes('_call') ? parseExactObject(data) : parseObject(data);

/** Reads a frame of a chat or text completion. */
export const readChunk = (frame: Frame): ReadChunk => {
  if (frame.data.startsWith('[DONE]')) return { last: { kind: 'end' } };
  const chunk = readObject(frame.data);
  if (chunk === undefined) return broken;
  const isError = frame.event === 'error' || isErrorChunk(chunk);
  return isError ? { last: { kind: 'error', error: decodeStreamError(frame) } } : { chunk };
};
