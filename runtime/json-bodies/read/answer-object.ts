import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { fromExactJson } from '../../../schema/json/exact-numbers.ts';
import { fromJson } from '../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { parsedObject } from './parsed-object.ts';

/** A whole answer and its parsed form. */
export interface ParsedAnswer {
  readonly bytes: Uint8Array;
  /** Undefined if the bytes are not a JSON object. */
  readonly object: JsonObject | undefined;
}

/** A call that remembers its last answer. */
interface AnsweredCall {
  readonly exchange: Pick<Exchange, 'route'>;
  parsedAnswer: ParsedAnswer | undefined;
}

/** Returns how the JSON of an answer is read. Only conversations have tool arguments; vectors have many long numbers. */
export const answerReader = ({ exchange }: Pick<AnsweredCall, 'exchange'>): typeof fromJson =>
  exchange.route.operation === 'converse' ? fromExactJson : fromJson;

/**
 * Returns the JSON object in the bytes of an answer. It is parsed once for all readers that need the whole: the meter, checks and
 * the cache.
 */
export const answerObject = (call: AnsweredCall, bytes: Uint8Array): JsonObject | undefined => {
  const known = call.parsedAnswer;
  if (known?.bytes === bytes) return known.object;
  const object = parsedObject(toBuffer(bytes).toString(), answerReader(call));
  call.parsedAnswer = { bytes, object };
  return object;
};
