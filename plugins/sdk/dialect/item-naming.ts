import type { JsonObject } from '../../../schema/json/json.ts';

/**
 * Items of answers that a later request may name by their ids alone, as of a provider that stores them: the gateway remembers
 * them for a while where they are translated.
 */
export interface ItemNaming {
  /** Reads what a request says of its own answer's items: nothing may be kept of `refused`. */
  keeping(body: JsonObject): 'asked' | 'unsaid' | 'refused';
  /** The ids of items that a request names. */
  namedIn(body: JsonObject): readonly string[];
}
