import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { scriptedCheck } from '../arbitraries/scripted.ts';
import type { ReplayCase } from './replay-case.ts';

/** Nothing listens there, so connections are refused immediately. */
const deadOrigin = 'http://127.0.0.1:1';

/** Shortens real waits: time-outs expire soon, and long back-offs are replaced unless an answer requested them. */
const shortly = (settings: JsonObject): JsonObject => {
  const { request_timeout: timeout, retry } = settings;
  const obedient = isJsonObject(retry) && retry.use_retry_after_headers === true;
  return {
    ...settings,
    ...(timeout === undefined ? {} : { request_timeout: timeout === 1000 ? 150 : 400 }),
    ...(isJsonObject(retry) ? { retry: { ...retry, attempts: obedient ? (retry.attempts ?? 0) : 1 } } : {}),
  };
};

/** The environment of a gateway that serves these configs. */
export const replayKeys: Readonly<Record<string, string>> = {
  REPLAY_KEY: 'a-key-for-replays',
  KEY_A: 'a-key-of-a-pool-1',
  KEY_B: 'a-key-of-a-pool-2',
  KEY_C: 'a-key-of-a-pool-3',
};

/** Returns the keys of a leaf, or a single key if it has none. */
const toCredential = (keys: Json | undefined, accounts: Json | undefined): JsonObject => {
  if (keys === undefined) return { api_key: '${env:REPLAY_KEY}' };
  return accounts === undefined ? { keys } : { keys, accounts };
};

/** Returns the same config with real providers at this origin, real checks, and waits short enough for a test. */
export const servedConfig = (
  { config, providers, words }: ReplayCase,
  { name, origin }: { readonly name: string; readonly origin: string },
): JsonObject => {
  let leaves = 0;

  const parameters = ({ hook }: JsonObject): JsonObject => ({
    words: [String(hook).startsWith('in-') ? words.input : words.output],
    operator: 'any',
  });

  const check = (value: JsonObject): JsonObject =>
    value.id === scriptedCheck && isJsonObject(value.parameters)
      ? { id: 'default.contains', parameters: parameters(value.parameters) }
      : value;

  const guardrail = (value: JsonObject): JsonObject => {
    const { [scriptedCheck]: scripted, ...rest } = value;
    return isJsonObject(scripted) ? { ...rest, 'default.contains': parameters(scripted) } : rest;
  };

  const leaf = (value: JsonObject): JsonObject => {
    if (value.provider === undefined) return value;
    const chosen = providers[leaves % providers.length] ?? 'openai';
    leaves += 1;
    const { keys, accounts, ...rest } = value;
    return {
      ...rest,
      provider: chosen === 'dead' ? 'openai' : chosen,
      ...(chosen === 'ollama' ? {} : toCredential(keys, accounts)),
      custom_host: `${chosen === 'dead' ? deadOrigin : origin}/${name}/${String(value.name)}/v1`,
    };
  };

  const real = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(real);
    if (!isJsonObject(value)) return value;
    const own = leaf(shortly(guardrail(check(value))));
    return Object.fromEntries(
      Object.entries(own).map(([key, inner]) => [key, inner === undefined ? null : real(inner)]),
    );
  };

  const made = real(config);
  return { request_timeout: 400, ...(isJsonObject(made) ? made : {}), name };
};
