import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { fromExactJson } from '../../../schema/json/exact-numbers.ts';
import { fromJson } from '../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { parsedObject } from './parsed-object.ts';

/** A whole answer as it was parsed. */
export interface ParsedAnswer {
  readonly bytes: Uint8Array;
  /** Undefined if the bytes are no JSON object. */
  readonly object: JsonObject | undefined;
}

/** A call that remembers its last answer. */
interface AnsweredCall {
  readonly exchange: Pick<Exchange, 'route'>;
  parsedAnswer: ParsedAnswer | undefined;
}

/** How the JSON of an answer is read. Only conversations have arguments of tools; vectors have long numbers in great number. */
export const answerReader = ({ exchange }: Pick<AnsweredCall, 'exchange'>): typeof fromJson =>
  exchange.route.operation === 'converse' ? fromExactJson : fromJson;

/** The JSON object in the bytes of an answer, parsed once for all who read it whole: the meter, checks and the cache. */
export const answerObject = (call: AnsweredCall, bytes: Uint8Array): JsonObject | undefined => {
  const known = call.parsedAnswer;
  if (known?.bytes === bytes) return known.object;
  const object = parsedObject(toBuffer(bytes).toString(), answerReader(call));
  call.parsedAnswer = { bytes, object };
  return object;
};
