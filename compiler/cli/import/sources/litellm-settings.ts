import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { Draft } from '../draft/draft.ts';
import { readRetries } from '../draft/read-retries.ts';
import type { SourceObject } from '../draft/read-source.ts';
import { loseCallbacks } from './litellm-callbacks.ts';
import { loseProviderBudgets, noteUnread } from './litellm-losses.ts';
import { type Attempts, retryOf } from './litellm-retries.ts';

/** Balances of the router, with our names; absent ones draw by weight. */
const balances: Readonly<Record<string, string>> = {
  'least-busy': 'least-busy',
  'latency-based-routing': 'latency',
  'cost-based-routing': 'price',
  'usage-based-routing': 'headroom',
  'usage-based-routing-v2': 'headroom',
};

/** The groups that are called after one, with their place in the source. */
interface Fallbacks {
  readonly of: readonly string[];
  readonly pointer: JsonPointer;
}

/** The settings of the router, for the configs. */
export interface Settings {
  readonly common: JsonObject;
  /** The members of a config that can call several targets. */
  readonly ofGroups: JsonObject;
  /** The members of the targets of a model that has several. */
  readonly ofSeveral: JsonObject;
  /** How the deployments of a model are tried. */
  readonly attempts: Attempts;
  /** The groups that are called after each group; `*` stands for all groups that are not named. */
  readonly fallbacks: ReadonlyMap<string, Fallbacks>;
  readonly aliases: JsonObject;
}

/** Converts a time-out in seconds to the member of a config; empty if there is none. */
export const toTimeout = (seconds: number | undefined): JsonObject =>
  seconds === undefined || seconds <= 0 ? {} : { request_timeout: Math.max(1, Math.round(seconds * 1000)) };

/** Reads the groups that are called after one: names, or objects with the name and further changes to the request. */
const readNext = (next: Json | undefined, pointer: JsonPointer, draft: Draft): readonly string[] =>
  (Array.isArray(next) ? next : [next ?? null]).flatMap((each: Json) => {
    const { model, ...changes } = isJsonObject(each) ? each : { model: each };
    if (typeof model !== 'string')
      draft.lose(pointer, 'A fallback names no model of this file.', 'Write the name of a model, or remove it.');
    else if (Object.keys(changes).length > 0)
      draft.lose(
        pointer,
        `The fallback "${model}" is called with the request as it was sent, without ${Object.keys(changes).join(', ')}.`,
        'Write parameters into "override_params" of its target in the config.',
      );
    return typeof model === 'string' ? [model] : [];
  });

/** Reads fallbacks: a list of objects, each with groups and those that are called after them. */
const readFallbacks = (sources: readonly SourceObject[], draft: Draft): ReadonlyMap<string, Fallbacks> => {
  const all = new Map<string, Fallbacks>();
  for (const source of sources) {
    const at = source.at('default_fallbacks');
    const forAll = readNext(source.get('default_fallbacks') ?? [], at, draft);
    if (forAll.length > 0) all.set('*', { of: forAll, pointer: at });
    for (const { value, pointer } of source.list('fallbacks'))
      for (const [group, next] of Object.entries(isJsonObject(value) ? value : {}))
        all.set(group, { of: readNext(next, pointer, draft), pointer });
  }
  return all;
};

const readBalance = (router: SourceObject, draft: Draft): string | undefined => {
  const strategy = router.text('routing_strategy');
  const balance = strategy === undefined ? undefined : lookUp(balances, strategy);
  if (strategy !== undefined && strategy !== 'simple-shuffle' && balance === undefined)
    draft.lose(
      router.at('routing_strategy'),
      `"${strategy}" is not a balancing method here.`,
      'Use weight, latency, least-busy, headroom or price.',
    );
  return balance;
};

/**
 * The statuses after which the other gateway skips a deployment for a while: `_is_cooldown_required` of its
 * `cooldown_handlers.py`.
 */
const coolingStatuses: readonly number[] = [401, 404, 408, 429, 500, 502, 503, 504, 529];

/** The number of failures that LiteLLM allows if the file states no number, or this one: `_is_allowed_fails_set_on_router`. */
const defaultFails = 3;

/** Returns the first section that states a number. Those of the other sections are read too, and ignored. */
const findStating = (name: string, sections: readonly SourceObject[]): SourceObject | undefined =>
  sections.filter((section) => section.number(name) !== undefined)[0];

/**
 * Reads the circuit of a target, and which configs have it: LiteLLM cools down the only deployment of a model if another number
 * is stated.
 */
const readBreaker = (
  router: SourceObject,
  litellm: SourceObject,
  draft: Draft,
): Pick<Settings, 'ofGroups' | 'ofSeveral'> => {
  const fails = findStating('allowed_fails', [router, litellm])?.number('allowed_fails');
  const cooling = findStating('cooldown_time', [router, litellm]);
  const cooldown = cooling?.number('cooldown_time');
  // Without a cooldown, no circuit opens.
  if ((fails === undefined && cooldown === undefined) || cooldown === 0) return { ofGroups: {}, ofSeveral: {} };
  if (cooling !== undefined && cooldown !== undefined && cooldown < 30)
    draft.lose(
      cooling.at('cooldown_time'),
      'A circuit stays open for at least 30 seconds.',
      'It is 30 seconds in the config.',
    );
  const breaker = {
    cb_config: {
      failure_threshold: Math.max(1, Math.floor(fails ?? defaultFails) + 1),
      cooldown_interval: Math.max(30_000, (cooldown ?? 30) * 1000),
      failure_status_codes: [...coolingStatuses],
    },
  };
  const coolsAll = (fails ?? defaultFails) !== defaultFails || isJsonObject(router.peek('allowed_fails_policy'));
  return coolsAll ? { ofGroups: breaker, ofSeveral: {} } : { ofGroups: {}, ofSeveral: breaker };
};

/** The address of the server of a cache, which the note on its type covers. */
const ofCacheServer: ReadonlySet<string> = new Set(['host', 'port', 'password', 'username', 'url', 'db', 'ssl']);

const readCache = (litellm: SourceObject, draft: Draft): JsonObject => {
  if (litellm.get('cache') !== true) return {};
  const own = litellm.object('cache_params');
  const type = own.text('type');
  const ttl = own.number('ttl');
  const isElsewhere = type !== undefined && type !== 'local';
  if (isElsewhere)
    draft.lose(
      own.at('type'),
      `The cache is in memory, not in ${type}.`,
      'Write "cache": { "url": … } in the gateway file: docs/reference/gateway-file/requests.md.',
    );
  for (const name of own.unread().filter((each) => !isElsewhere || !ofCacheServer.has(each)))
    draft.lose(
      own.at(name),
      `"${name}" of cache_params has no counterpart in a config.`,
      'docs/how-it-works/caches.md describes what a cache keeps, and how long.',
    );
  return { cache: { mode: 'simple', ...(ttl === undefined ? {} : { max_age: Math.max(60, Math.round(ttl)) }) } };
};

interface SettingsContext {
  readonly draft: Draft;
  readonly providers: ReadonlyMap<string, unknown>;
}

/** Reads `router_settings` and `litellm_settings`. */
export const readSettings = (source: SourceObject, { draft, providers }: SettingsContext): Settings => {
  const router = source.object('router_settings');
  const litellm = source.object('litellm_settings');
  const fallbacks = readFallbacks([litellm, router], draft);
  const retrying = findStating('num_retries', [router, litellm]);
  const retries = (retrying && readRetries(retrying, 'num_retries', draft)) ?? 0;
  const [ofRequests, seconds = ofRequests] = [litellm.number('request_timeout'), router.number('timeout')];
  const balance = readBalance(router, draft);
  const breaker = readBreaker(router, litellm, draft);
  const cache = readCache(litellm, draft);
  const aliases = router.get('model_group_alias');
  loseCallbacks(draft, litellm);
  loseProviderBudgets(draft, router, providers);
  noteUnread(draft, router, 'router_settings');
  noteUnread(draft, litellm, 'litellm_settings');
  return {
    common: {
      ...(retries === 0 ? {} : retryOf(retries)),
      ...toTimeout(seconds),
      ...cache,
    },
    ...breaker,
    attempts: { balance, retries },
    fallbacks,
    aliases: isJsonObject(aliases) ? aliases : {},
  };
};

/** Reads the gateway's key in `general_settings`. */
export const readGeneral = (source: SourceObject, draft: Draft): void => {
  const general = source.object('general_settings');
  const key = general.text('master_key');
  if (key !== undefined)
    draft.gateway.auth = {
      keys: [{ id: 'master', key: draft.secret(key, 'GW_MASTER_SERVICE_KEY', general.at('master_key')) }],
    };
  noteUnread(draft, general, 'general_settings');
};
