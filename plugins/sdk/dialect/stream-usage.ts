import type { Json, JsonObject } from '../../../schema/json/json.ts';

/**
 * A frame that can end an answer. `data`: identified by all of its data, which is not JSON. `type`: by the name of its event or,
 * if it has none, by the `type` in its data. `member`: by a text member of an object, or of the objects in a list.
 */
export type EndFrame =
  | { readonly data: string }
  | { readonly type: string }
  | { readonly member: readonly [string, ...string[]] };

/** How the frames of a stream report token counts. */
export interface StreamUsage {
  /** A text that occurs in the data of every frame with counts. Other frames are not parsed for them. */
  readonly mark: string;
  /**
   * The members of frames whose strings are output of the model. Their length is used for an estimate if no counts were reported.
   */
  readonly spoken: readonly string[];
  /** How a request asks for counts. Absent if all streams have them. */
  readonly request?: UsageRequest;
}

/** How a request asks for several answers at once. */
export interface ChoicesAsked {
  /** A text that occurs in the bytes of every request that does. Other requests are not parsed for it. */
  readonly mark: string;
  /** Returns the number of answers, or undefined if the body does not specify it. */
  of(body: JsonObject): number | undefined;
}

/** How a request asks for the token counts of its stream. */
export interface UsageRequest {
  /** The parameter, by wire name. It is not sent to a provider that does not accept it. */
  readonly param: string;
  /** Whether a body already asks for counts. */
  isMade(body: JsonObject): boolean;
  /** Returns the value of the parameter that asks for counts, for a body that does not yet. */
  make(body: JsonObject): Json;
  /** The member that frames have because of it. Frames that `classify` reports as `usage` have no other content. */
  readonly member: string;
}
