import { errorReport, GatewayError } from '../../../../schema/errors/errors.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';

/**
 * The settings that an organisation or a workspace provides for requests without their own, both as stored and as in request
 * bodies and responses.
 */
export interface StoredSettings {
  readonly metadata?: Readonly<Record<string, string>>;
  /** The name of a config. */
  readonly config?: string;
  /** The names of guardrails. */
  readonly input_guardrails?: readonly string[];
  readonly output_guardrails?: readonly string[];
  /** How tokens of the identity provider are accepted; only for organisations. */
  readonly jwt?: Json;
  /** How many seconds caches keep answers at most, and by default if their config does not specify it; only for organisations. */
  readonly cache_max_age?: number;
  /** The turns of a request that checks evaluate. */
  readonly judged_turns?: 'new' | 'all';
  /** Whether responses are kept if the request does not specify it, and for how many days; only for workspaces. */
  readonly keep_responses?: boolean;
  readonly keep_responses_days?: number;
}

/**
 * Parses stored settings; returns undefined if this version cannot read them. The store contains only what the rules accepted.
 */
export const readableSettings = (text: string): StoredSettings | undefined =>
  parseObject(text) as StoredSettings | undefined;

/** Parses stored settings. Throws the `GatewayError` `unreadable-record`, which names the row, if they cannot be read. */
export const storedSettings = (
  what: 'organisation' | 'workspace',
  { id, settings: text }: { readonly id: string; readonly settings: string },
): StoredSettings => {
  const settings = readableSettings(text);
  if (settings !== undefined) return settings;
  const cause = new TypeError(
    `The column "settings" of the ${what} "${id}" in the store is not an object in JSON: correct it in the database.`,
  );
  throw new GatewayError(errorReport('unreadable-record', { what, id }), { cause });
};
