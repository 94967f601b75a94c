import { errorReport, GatewayError } from '../../../../schema/errors/errors.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';

/**
 * The settings that an organisation or a workspace gives to requests without their own, as they are stored and as they
 * are on the wire.
 */
export interface StoredSettings {
  readonly metadata?: Readonly<Record<string, string>>;
  /** The name of a config. */
  readonly config?: string;
  /** The names of guardrails. */
  readonly input_guardrails?: readonly string[];
  readonly output_guardrails?: readonly string[];
  /** How tokens of the identity provider are accepted; of organisations alone. */
  readonly jwt?: Json;
  /** For how many seconds caches keep answers at most, and where their config does not say it; of organisations alone. */
  readonly cache_max_age?: number;
  /** The turns of a request that checks judge. */
  readonly judged_turns?: 'new' | 'all';
  /** Whether responses are kept where the request does not say it, and for how many days; of workspaces alone. */
  readonly keep_responses?: boolean;
  readonly keep_responses_days?: number;
}

/** Reads stored settings; undefined where this version cannot read them. The store has only what the rules let in. */
export const readableSettings = (text: string): StoredSettings | undefined =>
  parseObject(text) as StoredSettings | undefined;

/** The same, where nothing can be done without them. Throws the `GatewayError` `unreadable-record`, which names their row. */
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
