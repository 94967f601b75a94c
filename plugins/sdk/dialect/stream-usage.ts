import type { Json, JsonObject } from '../../../schema/json/json.ts';

/**
 * A frame that can end an answer. `data`: by the whole of its data, which is not JSON; `type`: by the name of its event, or
 * by the `type` in its data if it has no name; `member`: by a member that is a text, of objects or of those in a list.
 */
export type EndFrame =
  | { readonly data: string }
  | { readonly type: string }
  | { readonly member: readonly [string, ...string[]] };

/** How the frames of a stream report token counts. */
export interface StreamUsage {
  /** A text that occurs in the data of every frame with counts: others are not read for them. */
  readonly mark: string;
  /** The members of frames whose strings are what the model says. Their length is an estimate where nothing was reported. */
  readonly spoken: readonly string[];
  /** How a request asks for counts; absent if all streams have them. */
  readonly request?: UsageRequest;
}

/** How a request asks for several answers at once. */
export interface ChoicesAsked {
  /** A text that occurs in the bytes of every request which does: others are not read for it. */
  readonly mark: string;
  /** How many; undefined if the body does not say. */
  of(body: JsonObject): number | undefined;
}

/** How a request asks for the token counts of its stream. */
export interface UsageRequest {
  /** The parameter, by wire name. It is not sent to a provider that does not accept it. */
  readonly param: string;
  /** Whether a body asks already. */
  isMade(body: JsonObject): boolean;
  /** The value of the parameter that asks, in a body that does not ask yet. */
  make(body: JsonObject): Json;
  /** The member that frames have because of it. Frames that `classify` calls `usage` have nothing else. */
  readonly member: string;
}
