import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import type { AnswerMaker } from '../../../../sdk/http/http.ts';

/** A response that is kept, opened. */
export interface StoredResponse {
  readonly id: string;
  readonly response: JsonObject;
  /** What the request had as its input: a text, or items. */
  readonly input: Json;
  /** Whether its provider has it too, under the same id. */
  readonly isNative: boolean;
  /** Whether it is made in the background, or was. */
  readonly isBackground?: boolean;
  /** Who made it; absent where nobody knows. */
  readonly maker?: AnswerMaker;
}

/** A response with all before it, the oldest first. */
export interface Chain {
  readonly links: readonly StoredResponse[];
  /** Whether it begins with the beginning of the conversation: what came before it may not be kept. */
  readonly isWhole: boolean;
}

/** What is kept of an answer. */
export interface NewResponse extends Omit<StoredResponse, 'id'> {
  readonly previous?: string | undefined;
  readonly createdBy?: string | undefined;
  /** That of a response that is made in the background. */
  readonly request?: JsonObject;
}
