import type { SavedPrompt } from '../../../schema/config/saved.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

/** A version of a stored prompt with everything that it includes, ready to be sent in place of requests. */
export interface StoredPrompt extends SavedPrompt {
  /** Roughly the bytes that it takes in memory. */
  readonly bytes: number;
  /**
   * Fills the prompt in place of a client's body: the rendered prompt, with the body's own parameters in place of the
   * prompt's. Its `variables` are the variables, and its messages (or `prompt`) are left out. Reads nothing. Throws the
   * `GatewayError` `unrendered-prompt`.
   */
  fill(body: JsonObject): JsonObject;
}

/** Stored prompts, by the references that a config names them by. */
export type StoredPrompts = ReadonlyMap<string, StoredPrompt>;
