import type { JsonObject } from '../../../schema/json/json.ts';

/**
 * Changes the answers to a request before anything else reads them: they stay in their dialect, and members that
 * nothing here is about stay as they came.
 */
export interface AnswerEdit {
  /**
   * Texts, of which one occurs in every whole answer and in the data of every frame that changes: others are passed on
   * unread. Each is the name of a member, or a whole value, in its quotes, which no text of a model contains.
   */
  readonly marks: readonly string[];
  /** A whole answer. */
  whole(body: JsonObject): JsonObject;
  /** For one stream: the data of its first frame, and of all that may change, in their order. */
  stream(): (data: JsonObject) => JsonObject;
}

/**
 * A member that a provider leaves out of the answers of a dialect. `role`: who speaks, at the beginning of a stream;
 * `call-index`: the place of a call among those of a stream; `call-type`: that a call is one of a function;
 * `plain-content`: texts are parts of a list, beside those of thinking; `text`: of a text completion, which is the content of a
 * message; `results`: of a reranking, which are `data`;
 * `flagged`: whether a moderated text is, and its categories by OpenAI's names;
 * `finish-reason`: why an answer ended, in a word of the dialect where the provider has one of its own, which clients that are not
 * strict get.
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
