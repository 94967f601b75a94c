import fc from 'fast-check';
import { inheritedRows } from '../../../compiler/resolve/tree/inheritance.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { configExamples } from '../plans/config-examples.ts';
import { query } from './query.ts';
import { deadline } from './scenario.ts';
import { scriptedCheck, scriptedProvider } from './scripted.ts';

const json = (record: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<JsonObject> => fc.record(record);

const codes = (...pool: readonly number[]): fc.Arbitrary<readonly number[]> =>
  fc.subarray([...pool], { minLength: 1, maxLength: 4 });

const toCheck = (id: string): JsonObject => ({ id: scriptedCheck, parameters: { hook: id } });

const deny = (): fc.Arbitrary<JsonObject> => json({ deny: fc.boolean() });

/** The hooks and guardrails of one object. The scenario decides which verdict each id stands for. */
const checks: fc.Arbitrary<JsonObject> = fc.record(
  {
    before_request_hooks: json({
      id: fc.constant('in-hook'),
      on_fail: deny(),
      checks: fc.constant([toCheck('in-hook')]),
    }).map((hook): Json => [hook]),
    input_guardrails: json({
      id: fc.constant('in-guard'),
      deny: fc.boolean(),
      async: fc.constantFrom(false, false, true),
      [scriptedCheck]: fc.constant({ hook: 'in-guard' }),
    }).map((hook): Json => [hook]),
    after_request_hooks: json({
      id: fc.constant('out-hook'),
      async: fc.constantFrom(false, true),
      checks: fc.constant([toCheck('out-hook')]),
    }).map((hook): Json => [hook]),
    output_guardrails: json({
      id: fc.constant('out-guard'),
      deny: fc.boolean(),
      on_success: deny(),
      [scriptedCheck]: fc.constant({ hook: 'out-guard' }),
    }).map((hook): Json => [hook]),
  },
  { requiredKeys: [] },
);

const retry: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      attempts: fc.constantFrom(0, 1, 1, 2),
      on_status_codes: codes(246, 408, 429, 446, 500, 503),
      use_retry_after_headers: fc.boolean(),
    },
    { requiredKeys: ['attempts'] },
  )
  .map((settings): JsonObject => settings);

const breaker: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      failure_threshold: fc.constantFrom(1, 1, 2),
      cooldown_interval: fc.constantFrom(30_000, 60_000),
      failure_status_codes: codes(400, 408, 429, 500, 502),
    },
    { requiredKeys: ['failure_threshold', 'cooldown_interval'] },
  )
  .map((settings): JsonObject => settings);

const rarely = <Value extends Json>(value: fc.Arbitrary<Value>, every: number): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: every - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const present = (settings: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

const settings: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  request_timeout: fc.constantFrom(1000, 30_000),
  retry,
  cb_config: breaker,
  override_params: fc.constantFrom<Json>({ seed: 1 }, { seed: 2 }, { seed: 3 }, { top_p: 1 }),
};

/** A different upstream address, a setting that no gateway applies, and one for operators only. Other tests cover them. */
const leftOut: readonly string[] = ['custom_host', 'cache', 'probe'];

/** Inherited fields without generated values here use the examples in the schema. */
const examples: Readonly<Record<string, fc.Arbitrary<Json>>> = Object.fromEntries(
  inheritedRows
    .filter(({ field }) => !Object.hasOwn(settings, field) && !leftOut.includes(field))
    .flatMap(({ field }) => {
      const values = configExamples(field);
      return values.length === 0 ? [] : [[field, fc.constantFrom(...values)]];
    }),
);

/** The settings that a leaf or group can have for itself and everything below it. */
const inheritable: fc.Arbitrary<JsonObject> = fc
  .record({
    stated: fc.record(
      Object.fromEntries(
        Object.entries({ ...settings, ...examples }).map(([field, value]) => [field, rarely(value, 4)]),
      ),
    ),
    checks: rarely(checks, 6),
  })
  .map(({ checks: hooks, stated }) => ({ ...present(stated), ...hooks }));

const pools: readonly JsonObject[] = [
  { keys: [{ api_key: '${env:KEY_A}' }, { api_key: '${env:KEY_B}', weight: 0.5 }] },
  {
    keys: [
      { api_key: '${env:KEY_A}', weight: 3 },
      { api_key: '${env:KEY_B}', weight: 0 },
    ],
    accounts: 'one',
  },
  { keys: [{ api_key: '${env:KEY_B}' }, { api_key: '${env:KEY_C}' }, { api_key: '${env:KEY_A}', weight: 2 }] },
  { keys: [{ api_key: '${env:KEY_B}' }, { api_key: '${env:KEY_A}' }], accounts: 'several' },
];

const leaf: fc.Arbitrary<JsonObject> = fc
  .tuple(inheritable, rarely(fc.constantFrom(...pools), 5))
  .map(([settings, pool]) => ({ provider: scriptedProvider, ...settings, ...pool }));

const weights = [0, 0.25, 0.5, 1, 1, 2, 3];

/** What a strategy requires of its targets. */
const required = fc.constantFrom<JsonObject>({}, {}, { require: 'capabilities' });

const group = (target: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> => {
  const targets = fc.array(target, { minLength: 1, maxLength: 4 });
  const balanced = fc
    .array(fc.record({ target, weight: fc.option(fc.constantFrom(...weights), { nil: undefined }) }), {
      minLength: 1,
      maxLength: 4,
    })
    .filter((list) => list.some(({ weight }) => weight !== 0))
    .map((list) => list.map(({ target: one, weight }) => (weight === undefined ? one : { ...one, weight })));
  const withTargets = (strategy: JsonObject, list: readonly JsonObject[]): JsonObject => ({ strategy, targets: list });
  return fc.oneof(
    { weight: 1, arbitrary: target.map((only) => withTargets({ mode: 'single' }, [only])) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(balanced, required)
        .map(([list, ability]) => withTargets({ mode: 'loadbalance', ...ability }, list)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom({}, { continue: true }, { continue: false }), targets, required)
        .map(([more, list, ability]) => withTargets({ mode: 'fallback', ...more, ...ability }, list)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          codes(200, 246, 400, 408, 422, 429, 446, 500, 502, 503),
          fc.boolean(),
          fc.constantFrom({}, { continue: true }),
          targets,
          required,
        )
        .map(([on_status_codes, inStrategy, more, list, ability]) =>
          inStrategy
            ? withTargets({ mode: 'fallback', on_status_codes, ...more, ...ability }, list)
            : { ...withTargets({ mode: 'fallback', ...more, ...ability }, list), on_status_codes },
        ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(targets, fc.array(fc.tuple(query, fc.nat()), { minLength: 1, maxLength: 3 }), fc.nat())
        .map(([list, cases, otherwise]) =>
          withTargets(
            {
              mode: 'conditional',
              conditions: cases.map(([asked, at]) => ({ query: asked, then: at % list.length })),
              default: otherwise % list.length,
            },
            list,
          ),
        ),
    },
  );
};

const nested = (depth: number): fc.Arbitrary<JsonObject> => {
  if (depth === 0) return leaf;
  const settled = fc.tuple(group(nested(depth - 1)), inheritable).map(([one, settings]) => ({ ...settings, ...one }));
  return fc.oneof({ weight: depth === 3 ? 1 : 4, arbitrary: leaf }, { weight: 6, arbitrary: settled });
};

const toName = (place: readonly number[]): string => ['t', ...place].join('-');

/** Conditions refer to targets by index until the targets have names. */
const namedConditions = (strategy: JsonObject, place: readonly number[]): JsonObject => {
  if (strategy.mode !== 'conditional' || !Array.isArray(strategy.conditions)) return strategy;
  const named = (index: Json | undefined): string => toName([...place, Number(index)]);
  return {
    ...strategy,
    conditions: strategy.conditions.filter(isJsonObject).map((one) => ({ ...one, then: named(one.then) })),
    default: named(strategy.default),
  };
};

/** Names every target after its place, so that names are unique. */
const named = (config: JsonObject, place: readonly number[]): JsonObject => {
  const { strategy, targets, ...rest } = config;
  if (!isJsonObject(strategy) || !Array.isArray(targets)) return { ...config, name: toName(place) };
  return {
    ...rest,
    name: toName(place),
    strategy: namedConditions(strategy, place),
    targets: targets.filter(isJsonObject).map((target, index) => named(target, [...place, index])),
  };
};

const mirror = fc.record({
  percent: fc.constantFrom(100, 50, 12.5),
  timeout: fc.constantFrom(undefined, 1000),
  at: fc.nat({ max: 6 }),
});

const countConfigs = ({ targets }: JsonObject): number =>
  1 +
  (Array.isArray(targets) ? targets.filter(isJsonObject).reduce((sum, target) => sum + countConfigs(target), 0) : 0);

/** Returns a config with a mirror at its root or at one of the nodes below it, in order, if there are that many. */
const withMirror = (config: JsonObject, at: number, added: JsonObject): JsonObject => {
  if (at === 0) return { ...config, mirror: added };
  const { targets } = config;
  if (!Array.isArray(targets)) return config;
  let left = at - 1;
  return {
    ...config,
    targets: targets.filter(isJsonObject).map((target) => {
      const place = left;
      left -= countConfigs(target);
      return place < 0 ? target : withMirror(target, place, added);
    }),
  };
};

/**
 * Valid configs of at most three levels, with settings on every level, and sometimes a deadline at the root and a mirror
 * somewhere.
 */
export const config: fc.Arbitrary<JsonObject> = fc
  .tuple(nested(3), deadline, fc.option(mirror, { freq: 2, nil: undefined }))
  .map(([one, ms, copying]) => {
    const whole: JsonObject = { ...named(one, []), ...(ms === undefined ? {} : { deadline_ms: ms }) };
    if (copying === undefined) return whole;
    const { percent, timeout, at } = copying;
    const target = {
      name: 'm',
      provider: scriptedProvider,
      ...(timeout === undefined ? {} : { request_timeout: timeout }),
    };
    return withMirror(whole, at, { percent, target });
  });
