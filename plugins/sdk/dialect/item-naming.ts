import type { JsonObject } from '../../../schema/json/json.ts';

/**
 * Items of answers that later requests can refer to by id alone, as with a provider that stores them. The gateway remembers them
 * for a while if it translates answers.
 */
export interface ItemNaming {
  /** Returns what a request specifies about storing its answer's items. Nothing may be stored if it is `refused`. */
  keeping(body: JsonObject): 'asked' | 'unsaid' | 'refused';
  /** Returns the ids of the items that a request refers to. */
  namedIn(body: JsonObject): readonly string[];
  /**
   * Returns the items of an answer, or of the last frame of its stream, as the client receives it. They are remembered again when
   * a cache answers. If absent, they are not.
   */
  itemsOf?(answer: JsonObject): readonly JsonObject[];
}
