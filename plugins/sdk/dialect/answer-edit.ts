import type { JsonObject } from '../../../schema/json/json.ts';

/**
 * Changes the answers to a request before anything else reads them. They stay in their dialect, and unaffected members stay
 * unchanged.
 */
export interface AnswerEdit {
  /**
   * Texts of which at least one occurs in every whole answer, and in the data of every frame, that has to change; all others are
   * forwarded without being parsed. Each is the name of a member or a whole value, including its quotes, so that no text of a
   * model can contain it.
   */
  readonly marks: readonly string[];
  /** Changes a whole answer. */
  whole(body: JsonObject): JsonObject;
  /**
   * Returns a function for one stream. It is called with the data of the first frame and of every frame that may change, in
   * order.
   */
  stream(): (data: JsonObject) => JsonObject;
}

/**
 * A member that a provider leaves out of answers in a dialect. `role`: the role, at the start of a stream. `call-index`: the
 * index of a tool call within a stream. `call-type`: the type of a tool call, which is a function. `plain-content`: content as
 * plain text, if the provider sends a list of parts, next to those for thinking. `text`: the text of a completion, if the
 * provider sends it as the content of a message. `results`: the results of a reranking, if the provider sends them as `data`.
 * `flagged`: whether a moderated text is flagged, and its categories by OpenAI's names. `finish-reason`: why an answer ended in a
 * word of the dialect, if the provider has a word of its own; clients that are not strict receive the provider's word.
 */
export type LeftOut =
  | 'role'
  | 'call-index'
  | 'call-type'
  | 'plain-content'
  | 'text'
  | 'results'
  | 'flagged'
  | 'finish-reason';
