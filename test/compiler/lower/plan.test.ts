import { describe, expect, it } from 'vitest';
import { compile, compileUnrewritten } from '../../../compiler/compile.ts';
import { hashPlan } from '../../../schema/plan/hash-plan.ts';
import { testCatalogue as catalogue, testSaved as saved } from '../../support/plans/catalogue.ts';
import { leavesIn, readPlan } from '../../support/plans/compiled.ts';

const prod = { provider: '@openai-prod' };

describe('a plan', () => {
  it('reduces a single strategy to its target, which keeps its place', () => {
    const { root } = readPlan({ strategy: { mode: 'single' }, targets: [{ ...prod, retry: { attempts: 2 } }] });
    expect(root).toMatchObject({ kind: 'leaf', path: '/targets/0', stages: [{ kind: 'retry', attempts: 2 }] });
  });

  it('has the configured stages in their fixed order', () => {
    const [leaf] = leavesIn({
      ...prod,
      override_params: { stream: false },
      output_guardrails: ['no-secrets'],
      retry: { attempts: 1, on_status_codes: [503, 429, 429] },
      input_guardrails: ['no-secrets'],
      cb_config: { failure_threshold: 2.5, cooldown_interval: 30000 },
    });
    expect(leaf?.stages.map(({ kind }) => kind)).toEqual(['breaker', 'input-checks', 'retry', 'output-checks']);
    expect(leaf?.stages[0]).toMatchObject({ threshold: 3, failures: { kind: 'breaker-default' } });
    expect(leaf?.stages[2]).toMatchObject({ on: [429, 503], useRetryAfter: false });
    expect(leavesIn(prod)[0]?.stages).toEqual([]);
    expect(leavesIn({ ...prod, retry: { attempts: 0 } })[0]?.stages).toEqual([]);
  });

  it('states what it needs from bodies, and why', () => {
    const plain = { request: 'pass', answer: 'pass', because: [] };
    expect(leavesIn(prod)[0]?.needs).toEqual(plain);
    expect(leavesIn({ ...prod, override_params: {} })[0]?.needs).toEqual(plain);
    expect(leavesIn({ ...prod, input_guardrails: ['no-secrets'] })[0]?.needs).toMatchObject({
      request: 'read',
      answer: 'read',
    });
    const background = { async: true, 'default.contains': { words: ['x'], operator: 'any' } };
    expect(leavesIn({ ...prod, input_guardrails: [background] })[0]?.needs).toMatchObject({
      request: 'read',
      answer: 'pass',
    });
    const mutator = { id: 'h', type: 'mutator', checks: [{ id: 'default.regexMatch', parameters: { rule: 'x' } }] };
    expect(leavesIn({ ...prod, before_request_hooks: [mutator] })[0]?.needs).toMatchObject({
      request: 'edit',
      because: [
        { body: 'request', setting: 'input-checks' },
        { body: 'answer', setting: 'input-checks' },
      ],
    });
  });

  it('states whether a condition reads the request body', () => {
    const asking = (query: object) =>
      readPlan({
        strategy: { mode: 'conditional', conditions: [{ query: query as never, then: 'a' }], default: 'b' },
        targets: [
          { ...prod, name: 'a' },
          { ...prod, name: 'b', request_timeout: 5 },
        ],
      }).readsParams;
    expect(asking({ $or: [{ 'metadata.x': 1 }, { 'params.model': 'm' }] })).toBe(true);
    expect(asking({ 'metadata.x': 1, 'url.pathname': '/chat' })).toBe(false);
  });

  it('expands shorthands of queries, and combines siblings with "all"', () => {
    const { root } = readPlan({
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { 'params.a.b': 1, $or: [{ 'metadata.x': 'y' }] }, then: 'a' }],
        default: 'b',
      },
      targets: [
        { ...prod, name: 'a' },
        { ...prod, name: 'b', request_timeout: 5 },
      ],
    });
    expect(root.kind === 'conditional' && root.cases).toEqual([
      {
        when: {
          kind: 'all',
          of: [
            { kind: 'test', path: ['metadata', 'x'], op: '$eq', value: 'y' },
            { kind: 'test', path: ['params', 'a', 'b'], op: '$eq', value: 1 },
          ],
        },
        branch: 0,
      },
    ]);
  });

  it('uses the top-level status codes if the strategy has none', () => {
    const on = (strategy: object, rest: object) => {
      const { root } = readPlan({
        strategy: { mode: 'fallback', ...strategy },
        targets: [prod, { provider: 'echo' }],
        ...rest,
      });
      return root.kind === 'fallback' ? root.on : undefined;
    };
    expect(on({}, {})).toEqual({ kind: 'not-2xx' });
    expect(on({}, { on_status_codes: [503, 429] })).toEqual({ kind: 'codes', codes: [429, 503] });
    expect(on({ on_status_codes: [500] }, { on_status_codes: [503] })).toEqual({ kind: 'codes', codes: [500] });
  });

  it('is named after its config or else its file, and a caller cannot name it', () => {
    const name = (config: object, options: object) =>
      compile(JSON.stringify(config), { trust: 'operator', catalogue, saved, ...options }).plan?.name;
    expect(name({ ...prod, name: 'own' }, { file: 'configs/prod.eu.jsonc' })).toBe('own');
    expect(name(prod, { file: 'configs\\prod.eu.jsonc' })).toBe('prod.eu');
    expect(name(prod, { name: 'given', file: 'x.json' })).toBe('given');
    expect(name({ ...prod, name: 'evil\r\nx: y' }, { trust: 'caller' })).toBe('header');
  });

  it('has a hash of everything except its name and sources', () => {
    const plan = (text: string, file: string) => compile(text, { trust: 'operator', catalogue, saved, file }).plan;
    const one = plan('{"provider":"@openai-prod"}', 'one.json');
    const other = plan('{ // the same\n "provider" : "@openai-prod", }', 'other.jsonc');
    expect(one?.hash).toBe(other?.hash);
    expect(one?.name).not.toBe(other?.name);
    expect(one?.sources[0]?.hash).not.toBe(other?.sources[0]?.hash);
    expect(one === undefined ? '' : hashPlan(one)).toBe(one?.hash);
    expect(plan('{"provider":"echo"}', 'one.json')?.hash).not.toBe(one?.hash);
  });

  it('keeps the hash of a leaf if something next to it changes', () => {
    const at = (weight: number, index: number) =>
      leavesIn({ strategy: { mode: 'loadbalance' }, targets: [{ ...prod, weight }, { provider: 'echo' }] })[index]
        ?.hash;
    expect(at(1, 1)).toBe(at(3, 1));
    expect(at(1, 0)).not.toBe(at(1, 1));
  });

  it('is also available unrewritten, as the config states it', () => {
    const text = JSON.stringify({ strategy: { mode: 'fallback' }, targets: [prod] });
    const options = { trust: 'operator', catalogue, saved } as const;
    expect(compileUnrewritten(text, options).plan?.root.kind).toBe('fallback');
    expect(compile(text, options).plan?.root.kind).toBe('leaf');
  });
});
