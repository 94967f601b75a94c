import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LimitPolicy, PolicyCondition } from '../../../../../plugins/control/kernel/limits/limit-policy.ts';
import { compilePolicies, MemoryBudget } from '../../../../../plugins/control/metering/limiter/compile-policies.ts';
import { bucketValues, type LimitFacts } from '../../../../../plugins/control/metering/limiter/limit-facts.ts';
import type { MatchedPolicies } from '../../../../../plugins/control/metering/limiter/matched-policies.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const policy = (changes: Partial<LimitPolicy> = {}): LimitPolicy => ({
  ...{ id: 'p', name: 'p', kind: 'usage', conditions: [], groupBy: [], unit: 'tokens', limit: 1 },
  ...{ reset: { every: 'never' }, ifUnknown: 'allow' },
  ...changes,
});

const facts = (changes: Partial<LimitFacts> = {}): LimitFacts => ({
  ...{ key: 'k1', workspace: 'w', organisation: 'o', config: 'prod', metadata: {}, endpointType: 'chat' },
  target: { provider: 'openai', slug: 'main', model: 'gpt-4o' },
  ...changes,
});

const one = (key: string, values: string | readonly string[], excludes: readonly string[] = []): PolicyCondition => ({
  key,
  values: typeof values === 'string' ? [values] : values,
  excludes,
});

const toBuckets = (given: LimitPolicy, about: LimitFacts): readonly string[] => {
  const { ofRequest, ofTarget } = compilePolicies([given]);
  return [...ofRequest(about).all, ...ofTarget(about).all].map(({ bucket }) => bucket);
};

const covers = (conditions: readonly PolicyCondition[], about: LimitFacts): boolean =>
  toBuckets(policy({ conditions }), about).length === 1;

describe('a policy covers a request', () => {
  it.each([
    ['by the requested model', [one('model', 'gpt-4o')], {}, true],
    ['by the model with the slug of its provider', [one('model', '@main/gpt-4o')], {}, true],
    ['by all models of a saved provider', [one('model', '@main/*')], {}, true],
    ['not by the models of another saved provider', [one('model', '@mai/*')], {}, false],
    [
      'by a model that the request names with a slug',
      [one('model', 'gpt-4o')],
      { target: { provider: 'openai', model: '@main/gpt-4o' } },
      true,
    ],
    ['by the beginning of a model name', [one('model', 'gpt-*')], {}, true],
    ['by the end of a model name', [one('model', '*-4o')], {}, true],
    ['not by a model that it excludes', [one('model', '*', ['gpt-4*'])], {}, false],
    ['if one of several values matches', [one('api_key', ['k0', 'k1'])], {}, true],
    ['only if all conditions match', [one('api_key', 'k1'), one('provider', 'anthropic')], {}, false],
    ['by a label that is a number', [one('metadata.team', '7')], { metadata: { team: 7 } }, true],
    ['by a label with any value', [one('metadata.team', '*')], { metadata: { team: '' } }, true],
    ['not by a label that is missing', [one('metadata.team', '*')], {}, false],
    ['not by a property that every object inherits', [one('metadata.constructor', '*')], {}, false],
    ['by the slug of a virtual key', [one('virtual_key', 'main')], {}, true],
    ['by the name of its plan', [one('config', 'prod')], {}, true],
    ['by its prompt', [one('prompt', 'hello')], { prompt: 'hello' }, true],
    ['by its endpoint type', [one('endpoint_type', ['messages', 'chat'])], {}, true],
    ['by its workspace and organisation', [one('workspace_id', 'w'), one('organisation_id', 'o')], {}, true],
    ['not by an unknown condition key', [one('colour', '*')], {}, false],
  ] as const)('%s', (_, conditions, changes, expected) => {
    expect(covers(conditions, facts(changes))).toBe(expected);
  });

  it('only if the request has every value that the policy groups by', () => {
    const grouped = policy({ groupBy: ['metadata._user', 'model'] });
    expect(toBuckets(grouped, facts({ metadata: { _user: 'alice' } }))).toEqual(['metadata._user:alice,model:gpt-4o']);
    expect(toBuckets(grouped, facts())).toEqual([]);
  });

  it('in a separate counter for each combination of labels, whatever the labels contain', () => {
    const groupBy = ['metadata.a', 'metadata.b'];
    const grouped = policy({ groupBy });
    const text = fc.string({ unit: fc.constantFrom('a', ',', '\\', ':', 'metadata.b:'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [bucket = ''] = toBuckets(grouped, facts({ metadata: { a, b } }));
        expect(bucketValues(bucket, groupBy)).toEqual([a, b]);
      }),
      lawRuns,
    );
  });

  it('in a counter whose name the ledger stores unchanged', () => {
    const grouped = policy({ groupBy: ['metadata.a'] });
    for (const a of ['x\0y', 'x\ud800y', 'x\udfffy'])
      expect(toBuckets(grouped, facts({ metadata: { a } }))).toEqual(['metadata.a:x\ufffdy']);
  });

  it('in a counter whose name has at most 300 characters', () => {
    const grouped = policy({ groupBy: ['metadata.a'] });
    const [first = '', second = ''] = ['x', 'y'].flatMap((end) =>
      toBuckets(grouped, facts({ metadata: { a: 'a'.repeat(10_000) + end } })),
    );
    expect(first.length).toBeLessThanOrEqual(300);
    expect(first).not.toBe(second);
  });
});

describe('a compiled policy', () => {
  it.each([
    [policy({ conditions: [one('provider', '*')] }), true],
    [policy({ conditions: [one('model', '*')] }), true],
    [policy({ groupBy: ['virtual_key'] }), true],
    [policy({ conditions: [one('api_key', '*')] }), false],
    [policy(), false],
  ])('applies to a target only if it names one: %j', (given, isOfTarget) => {
    const { ofRequest, ofTarget } = compilePolicies([given]);
    expect([ofRequest(facts()).all.length, ofTarget(facts()).all.length]).toEqual(isOfTarget ? [0, 1] : [1, 0]);
  });
});

const names = ['a', 'b', 'ab', 'ba', '7', ''] as const;
const patterns = [...names.filter((name) => name !== ''), '*', 'a*', '*b', '*a*'] as const;
const keys = [
  ...['api_key', 'virtual_key', 'provider', 'config', 'prompt', 'model', 'endpoint_type', 'workspace_id'],
  ...['organisation_id', 'metadata.t', 'metadata.u'],
];

const arbitraryCondition = fc.record({
  key: fc.constantFrom(...keys),
  values: fc.array(fc.constantFrom(...patterns, '@a/b', '@a/*'), { maxLength: 3 }),
  excludes: fc.array(fc.constantFrom(...patterns), { maxLength: 1 }),
});

const arbitraryFacts = fc
  .record({
    key: fc.constantFrom(...names),
    config: fc.constantFrom(...names),
    endpointType: fc.constantFrom(...names),
    prompt: fc.constantFrom(undefined, 'a', 'b'),
    workspace: fc.constantFrom('a', 'b'),
    organisation: fc.constantFrom('a', 'b'),
    sharesLimitsOf: fc.constantFrom(undefined, ['a'], ['7', 'b']),
    metadata: fc.dictionary(fc.constantFrom('t', 'u', 'v'), fc.constantFrom<string | number>(...names, 7)),
    target: fc.record(
      {
        provider: fc.constantFrom('a', 'b'),
        slug: fc.constantFrom('a', 'b'),
        model: fc.constantFrom('a', 'b', '@a/b'),
      },
      { requiredKeys: ['provider', 'model'] },
    ),
  })
  .map((given): LimitFacts => facts(given));

/** Returns the values that a request has for a key, in a second, deliberately simple implementation. */
const plainValues = (about: LimitFacts, name: string): readonly string[] => {
  const { key, sharesLimitsOf = [], config, prompt, workspace, organisation, endpointType, metadata, target } = about;
  if (name.startsWith('metadata.')) {
    const value = metadata[name.slice(9)];
    return value === undefined ? [] : [String(value)];
  }
  const bare = target?.model.replace(/^@a\//, '');
  const slug = target?.slug ?? (target?.model.startsWith('@') ? 'a' : undefined);
  const all: Readonly<Record<string, readonly (string | undefined)[]>> = {
    api_key: [...sharesLimitsOf, key],
    prompt: [prompt],
    workspace_id: [workspace],
    organisation_id: [organisation],
    virtual_key: [target?.slug],
    provider: [target?.provider, target?.slug === undefined ? undefined : `@${target.slug}`],
    config: [config],
    model: [bare, slug === undefined ? undefined : `@${slug}/${bare}`],
    endpoint_type: [endpointType],
  };
  return (all[name] ?? []).filter((value) => value !== undefined && value !== '') as readonly string[];
};

const plainlyMatches = (pattern: string, text: string): boolean => {
  const source = pattern.replaceAll('/', '\\/').replaceAll('*', '.*');
  return new RegExp(`^${source}$`, 's').test(text);
};

const plainlyCovers = ({ conditions, groupBy }: LimitPolicy, about: LimitFacts): boolean =>
  conditions.every(({ key, values, excludes }) => {
    const found = plainValues(about, key);
    const some = (wanted: readonly string[]) =>
      wanted.some((pattern) => found.some((text) => plainlyMatches(pattern, text)));
    return (values.length === 0 || some(values)) && !some(excludes);
  }) && groupBy.every((key) => plainValues(about, key).length > 0);

it('an index of policies finds those that cover a request, each once and in order, also from memory', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          conditions: fc.array(arbitraryCondition, { maxLength: 3 }),
          groupBy: fc.uniqueArray(fc.constantFrom(...keys), { maxLength: 2 }),
        }),
        { maxLength: 12 },
      ),
      fc.array(arbitraryFacts, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(1, 2, 10_000),
      (parts, distinct, most) => {
        // The result for the first request of a kind is reused for the second one while it is remembered.
        const requests = [...distinct, ...distinct];
        const policies = parts.map((part, at) => policy({ ...part, id: String(at) }));
        const { ofRequest, ofTarget } = compilePolicies(policies, new MemoryBudget(most));
        for (const request of requests) {
          const found = [ofRequest(request), ofTarget(request)].map((each) => each.all.map((match) => match.order));
          for (const orders of found) expect(orders).toEqual(orders.toSorted((a, b) => a - b));
          const expected = policies.flatMap((each, at) => (plainlyCovers(each, request) ? [at] : []));
          expect(found.flat().toSorted((a, b) => a - b)).toEqual(expected);
        }
      },
    ),
    lawRuns,
  );
});

describe('what is remembered of requests', () => {
  const grouped = policy({ groupBy: ['metadata.team'] });
  const ofTeam = (team: string): LimitFacts => facts({ metadata: { team } });

  it('is one object for all requests of a kind, with the bucket of that kind', () => {
    const { ofRequest } = compilePolicies([grouped]);
    const first = ofRequest(ofTeam('red'));
    expect(ofRequest(ofTeam('red'))).toBe(first);
    expect(ofRequest(ofTeam('blue')).all.map(({ bucket }) => bucket)).toEqual(['metadata.team:blue']);
  });

  it('is limited for all lists together, however many labels callers invent, and excludes long labels', () => {
    const budget = new MemoryBudget(100);
    const lists = [grouped, { ...grouped, id: 'q' }].map((each) => compilePolicies([each], budget));
    const firsts = lists.map(({ ofRequest }) => ofRequest(ofTeam('red')));
    for (let user = 0; user < 50; user += 1) lists[0]?.ofRequest(ofTeam(`red ${user}`));
    expect(lists.map(({ ofRequest }) => ofRequest(ofTeam('red')))).toEqual(firsts);
    for (const [at, { ofRequest }] of lists.entries()) expect(ofRequest(ofTeam('red'))).toBe(firsts[at]);
    for (let user = 50; user < 150; user += 1) lists[0]?.ofRequest(ofTeam(`red ${user}`));
    for (const [at, { ofRequest }] of lists.entries()) expect(ofRequest(ofTeam('red'))).not.toBe(firsts[at]);
    const long = 'x'.repeat(1000);
    expect(lists[0]?.ofRequest(ofTeam(long))).not.toBe(lists[0]?.ofRequest(ofTeam(long)));
  });

  it('is discarded for a list that is no longer used when other lists need the room', async () => {
    const budget = new MemoryBudget(100);
    const [idle, busy] = [grouped, { ...grouped, id: 'q' }].map((each) => compilePolicies([each], budget));
    const remembered = new WeakRef(idle?.ofRequest(ofTeam('red')) ?? {});
    for (let user = 0; user < 150; user += 1) busy?.ofRequest(ofTeam(`red ${user}`));
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(remembered.deref()).toBeUndefined();
    expect(idle?.ofRequest(ofTeam('red')).all).toHaveLength(1);
  });

  it('determines, with the policies of a target, which counters an attempt is charged to, in list order', () => {
    const list = [
      policy({ id: 'model', conditions: [one('model', '*')] }),
      policy({ id: 'requests', unit: 'requests' }),
      policy({ id: 'tokens' }),
      policy({ id: 'calls', unit: 'requests', groupBy: ['provider'] }),
    ];
    const { ofRequest, ofTarget } = compilePolicies(list);
    const joined = ofRequest(facts()).with(ofTarget(facts()));
    const ids = (matched: MatchedPolicies) => matched.all.map((match) => match.policy.id);
    expect(ids(joined)).toEqual(['model', 'requests', 'tokens', 'calls']);
    expect(ids(joined.ofAttempts)).toEqual(['model', 'tokens', 'calls']);
    expect(ids(joined.ofRequests)).toEqual(['requests', 'calls']);
    expect(ofRequest(facts()).with(ofTarget(facts()))).toBe(joined);
    for (let at = 0; at < 20; at += 1) {
      const other = ofTarget(facts({ target: { provider: `p${at}`, model: 'm' } }));
      expect(ofRequest(facts()).with(other).all[3]?.bucket).toBe(`provider:p${at}`);
    }
  });
});
