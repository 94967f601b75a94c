import type { SavedPrompt } from '../../../schema/config/saved.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

/** A version of a stored prompt, with everything that it includes, ready to be sent in place of requests. */
export interface StoredPrompt extends SavedPrompt {
  /** The approximate size in memory, in bytes. */
  readonly bytes: number;
  /**
   * Creates the body that is sent instead of a client's: the rendered prompt, with parameters of the client's body overriding
   * those of the prompt. The body's `variables` are used for rendering, and its messages (or `prompt`) are ignored. Reads nothing
   * from the store. Throws the `GatewayError` `unrendered-prompt`.
   */
  fill(body: JsonObject): JsonObject;
}

/** Stored prompts, by the references with which a config names them. */
export type StoredPrompts = ReadonlyMap<string, StoredPrompt>;
