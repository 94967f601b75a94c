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
  /**
   * The items of an answer, or of the last frame of its stream, as the client gets it: they are remembered again where a cache
   * answers. Where it is absent, they are not.
   */
  itemsOf?(answer: JsonObject): readonly JsonObject[];
}
