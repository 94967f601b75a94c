import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import { type Draft, toSlug } from '../draft/draft.ts';
import { SourceObject } from '../draft/read-source.ts';
import type { ImportSource } from './import-source.ts';
import { toTarget } from './litellm-target.ts';

/** A target of a group, with its place in the source and its weight. */
interface Deployment {
  readonly target: JsonObject;
  readonly pointer: JsonPointer;
  readonly weight: number;
}

/** Balances of the router, by ours; absent ones draw by weight. */
const balances: Readonly<Record<string, string>> = {
  'least-busy': 'least-busy',
  'latency-based-routing': 'latency',
  'cost-based-routing': 'price',
  'usage-based-routing': 'headroom',
  'usage-based-routing-v2': 'headroom',
};

/** Why a setting is left out, and what to do. */
const lost: Readonly<Record<string, readonly [why: string, instead: string]>> = {
  callbacks: [
    'Receivers of logs are in the gateway file',
    'Write them under "log": docs/recipes/send-the-log-elsewhere.md.',
  ],
  success_callback: [
    'Receivers of logs are in the gateway file',
    'Write them under "log": docs/recipes/send-the-log-elsewhere.md.',
  ],
  failure_callback: [
    'Receivers of logs are in the gateway file',
    'Write them under "log": docs/recipes/send-the-log-elsewhere.md.',
  ],
  database_url: [
    'Records of the other gateway are not read',
    'Name a database of its own: "store": { "url": "${env:DATABASE_URL}" }.',
  ],
  context_window_fallbacks: [
    'A fallback for prompts that are too long is chosen before the request',
    'Set "require": "capabilities" of a strategy: docs/recipes/ask-only-able-models.md.',
  ],
  content_policy_fallbacks: [
    'A fallback does not depend on the reason of a refusal',
    'Use on_status_codes of a strategy, or a guardrail.',
  ],
  drop_params: [
    'Parameters that a provider does not know are left out in translation as it is',
    'Leave it out; "on_loss": "refuse" of the gateway file refuses instead.',
  ],
  redis_host: [
    'Counters that several gateways share are in the gateway file',
    'Write "store": { "limits": { "url": "redis://…" } }.',
  ],
  max_budget: ['Budgets are policies of a store', 'Make one: gw policies create.'],
};

const loseUnread = (draft: Draft, source: SourceObject, section: string): void => {
  for (const name of source.unread()) {
    const [why, instead] = lost[name] ?? [
      `"${name}" of ${section} has no counterpart`,
      'Leave it out; README.md says what a gateway file and a config can say.',
    ];
    draft.lose(source.at(name), `${why}.`, instead);
  }
};

/** Fallbacks are a list of objects, each of which has groups and those that are asked after them. */
const readFallbacks = (sources: readonly SourceObject[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    sources.flatMap((source) =>
      source
        .list('fallbacks')
        .flatMap(({ value }) =>
          Object.entries(isJsonObject(value) ? value : {}).map(
            ([group, next]): readonly [string, readonly string[]] => [
              group,
              Array.isArray(next) ? next.filter((each) => typeof each === 'string') : [],
            ],
          ),
        ),
    ),
  );

interface Settings {
  readonly common: JsonObject;
  readonly balance: string | undefined;
  readonly fallbacks: ReadonlyMap<string, readonly string[]>;
}

const readSettings = (source: SourceObject, draft: Draft): Settings => {
  const router = source.object('router_settings');
  const litellm = source.object('litellm_settings');
  const fallbacks = readFallbacks([litellm, router]);
  const retries = router.number('num_retries') ?? litellm.number('num_retries');
  litellm.get('num_retries');
  const seconds = router.number('timeout') ?? litellm.number('request_timeout');
  litellm.get('request_timeout');
  const strategy = router.text('routing_strategy');
  const balance = strategy === undefined ? undefined : balances[strategy];
  if (strategy !== undefined && strategy !== 'simple-shuffle' && balance === undefined)
    draft.lose(
      router.at('routing_strategy'),
      `"${strategy}" is no balance here.`,
      'Use weight, latency, least-busy, headroom or price.',
    );
  const [fails = litellm.number('allowed_fails'), cooldown = litellm.number('cooldown_time')] = [
    router.number('allowed_fails'),
    router.number('cooldown_time'),
  ];
  const breaker =
    fails === undefined && cooldown === undefined
      ? {}
      : {
          cb_config: {
            failure_threshold: Math.max(1, (fails ?? 3) + 1),
            cooldown_interval: Math.max(30_000, (cooldown ?? 30) * 1000),
          },
        };
  if (cooldown !== undefined && cooldown < 30)
    draft.lose(
      router.at('cooldown_time'),
      'A circuit stays open for at least 30 seconds.',
      'It is 30 seconds in the config.',
    );
  const cache = litellm.get('cache') === true ? { cache: cacheOf(litellm, draft) } : {};
  if (retries !== undefined && retries > 5)
    draft.lose(router.at('num_retries'), 'A target is asked again at most 5 times.', 'It is 5 in the config.');
  const aliases = router.get('model_group_alias');
  const common = {
    ...(retries === undefined ? {} : { retry: { attempts: Math.min(5, Math.max(0, retries)) } }),
    ...(seconds === undefined ? {} : { request_timeout: Math.round(seconds * 1000) }),
    ...breaker,
    ...cache,
  };
  loseUnread(draft, router, 'router_settings');
  loseUnread(draft, litellm, 'litellm_settings');
  if (isJsonObject(aliases)) draft.gateway.models = aliases;
  return { common, balance, fallbacks };
};

const cacheOf = (litellm: SourceObject, draft: Draft): JsonObject => {
  const own = litellm.object('cache_params');
  const type = own.text('type');
  const ttl = own.number('ttl');
  if (type !== undefined && type !== 'local')
    draft.lose(
      own.at('type'),
      `The cache is in memory, not in ${type}.`,
      'Write "cache": { "url": … } in the gateway file: plugins/caches/README.md.',
    );
  for (const name of own.unread())
    draft.lose(
      own.at(name),
      `"${name}" of cache_params has no counterpart in a config.`,
      'See plugins/caches/README.md.',
    );
  return { mode: 'simple', ...(ttl === undefined ? {} : { max_age: Math.max(60, Math.round(ttl)) }) };
};

const readGeneral = (source: SourceObject, draft: Draft): void => {
  const general = source.object('general_settings');
  const key = general.text('master_key');
  if (key !== undefined)
    draft.gateway.auth = {
      keys: [{ id: 'master', key: draft.secret(key, 'GW_MASTER_SERVICE_KEY', general.at('master_key')) }],
    };
  loseUnread(draft, general, 'general_settings');
};

const readGroups = (
  source: SourceObject,
  context: Parameters<typeof toTarget>[1],
): ReadonlyMap<string, readonly Deployment[]> => {
  const groups = new Map<string, Deployment[]>();
  for (const item of source.list('model_list')) {
    const entry = new SourceObject(item);
    const name = entry.text('model_name') ?? '';
    const params = entry.object('litellm_params');
    const target = toTarget(params, context);
    const weight = params.number('weight') ?? params.number('rpm') ?? params.number('tpm');
    if (entry.get('model_info') !== undefined)
      context.draft.lose(
        entry.at('model_info'),
        'Facts of models are in the gateway file.',
        'Write them under "model_facts" where they differ from what is known: gw models.',
      );
    if (target === undefined) continue;
    const deployments = groups.get(name) ?? [];
    deployments.push({ target, pointer: item.pointer, weight: weight ?? 1 });
    groups.set(name, deployments);
  }
  return groups;
};

interface Named {
  readonly node: JsonObject;
  /** The place of each target in the node, and that in the source. */
  readonly origins: readonly (readonly [made: JsonPointer, source: JsonPointer])[];
}

/** One deployment as it is, several as a load balance. */
const toNode = (deployments: readonly Deployment[], name: string, balance: string | undefined): Named => {
  const slug = toSlug(name);
  const [only, second] = deployments;
  if (only !== undefined && second === undefined)
    return { node: { name: slug, ...only.target }, origins: [[rootPointer, only.pointer]] };
  const targets = deployments.map(({ target, weight }, index) => ({
    name: `${slug}-${index + 1}`,
    ...target,
    ...(balance === undefined ? { weight } : {}),
  }));
  return {
    node: { name: slug, strategy: { mode: 'loadbalance', ...(balance === undefined ? {} : { balance }) }, targets },
    origins: deployments.map(({ pointer }, index) => [childPointer(rootPointer, 'targets', index), pointer]),
  };
};

/** LiteLLM's `config.yaml`: each model is a config, by whose name clients ask for it. */
export const fromLitellm: ImportSource = (value, { draft, providers }) => {
  const source = new SourceObject({ value, pointer: rootPointer });
  const groups = readGroups(source, { draft, providers });
  const { common, balance, fallbacks } = readSettings(source, draft);
  readGeneral(source, draft);
  const models: Record<string, Json> = {};
  for (const model of groups.keys()) {
    const next = (fallbacks.get(model) ?? fallbacks.get('*') ?? []).filter((each) => each !== model);
    const missing = next.filter((each) => !groups.has(each));
    for (const each of missing)
      draft.lose(
        source.at('router_settings'),
        `The fallback "${each}" of "${model}" is no model of this file.`,
        'Add a target for it.',
      );
    const chain = [model, ...next.filter((each) => groups.has(each))].map((each) =>
      toNode(groups.get(each) ?? [], each, balance),
    );
    const [first] = chain;
    const name = draft.configName(model);
    const isChain = chain.length > 1;
    const { name: _name, ...alone } = first?.node ?? {};
    draft.configs.set(
      name,
      isChain
        ? { strategy: { mode: 'fallback' }, ...common, targets: chain.map(({ node }) => node) }
        : { ...common, ...alone },
    );
    draft.comesFrom(name, rootPointer, childPointer(rootPointer, 'model_list'));
    for (const [index, { origins }] of chain.entries())
      for (const [made, from] of origins) {
        const base = isChain ? childPointer(rootPointer, 'targets', index) : rootPointer;
        // Two pointers in a row are one.
        draft.comesFrom(name, `${base}${made}` as JsonPointer, from);
      }
    models[model] = `config:${name}`;
  }
  const aliases = isJsonObject(draft.gateway.models) ? draft.gateway.models : {};
  const followed = Object.entries(aliases).flatMap(([alias, of]): readonly (readonly [string, Json])[] => {
    const found = typeof of === 'string' ? models[of] : undefined;
    if (found !== undefined) return [[alias, found]];
    draft.lose(
      source.object('router_settings').at('model_group_alias'),
      `The alias "${alias}" stands for no model of this file.`,
      'Write it under "models" of the gateway file.',
    );
    return [];
  });
  draft.gateway.models = { ...models, ...Object.fromEntries(followed) };
  for (const name of source.unread())
    draft.lose(
      source.at(name),
      `"${name}" has no counterpart.`,
      'Leave it out; README.md says what a gateway file can say.',
    );
};
