import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findExactObject, findJsonObject } from './find-json-object.ts';

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

/** The JSON object in the bytes of an answer, parsed once for all who read it whole: the meter, checks and the cache. */
export const answerObject = (call: AnsweredCall, bytes: Uint8Array): JsonObject | undefined => {
  const known = call.parsedAnswer;
  if (known?.bytes === bytes) return known.object;
  // Only conversations have arguments of tools; vectors have long numbers in great number.
  const find = call.exchange.route.operation === 'converse' ? findExactObject : findJsonObject;
  const object = find(bytes);
  call.parsedAnswer = { bytes, object };
  return object;
};
