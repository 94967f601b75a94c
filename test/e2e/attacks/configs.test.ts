import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, type GatewayStart, startGateway } from '../../support/gateways/gateway-process.ts';
import { runSoak } from '../../support/soak/run-soak.ts';
import type { SoakRequest } from '../../support/soak/soak-requests.ts';

let gateway: GatewayProcess;

/** Starts one gateway for the tests of a group. */
const serveGroup = (start: GatewayStart = {}): void => {
  beforeAll(async () => {
    gateway = await startGateway(start);
  });
  afterAll(() => gateway.stop());
};

const echo = { provider: 'echo' };
const many = <Thing>(count: number, make: (index: number) => Thing): readonly Thing[] =>
  Array.from({ length: count }, (_, index) => make(index));
const matching = (...rules: readonly string[]): object => ({
  ...echo,
  input_guardrails: rules.map((rule) => ({ 'default.regexMatch': { rule, not: true }, deny: true })),
});

const choosing = (rules: readonly string[]): object => ({
  strategy: {
    mode: 'conditional',
    conditions: rules.map((rule) => ({ query: { 'metadata.tier': { $regex: rule } }, then: 'one' })),
    default: 'one',
  },
  targets: [{ name: 'one', ...echo }],
});

interface Answered {
  readonly status: number;
  readonly codes: readonly string[];
  readonly ms: number;
}

const send = async (config: object): Promise<Answered> => {
  const began = performance.now();
  const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
    body: '{"model":"any","messages":[{"role":"user","content":"Hello there."}]}',
  });
  const text = await answer.text();
  const codes = [...text.matchAll(/"code":"([a-z-]+)"/g)].map(([, code = '']) => code);
  return { status: answer.status, codes: [...new Set(codes)], ms: performance.now() - began };
};

/** The peak memory of the process so far, in MiB. Linux only. */
const peakMemory = (): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8'))?.[1]) / 1024;

/** The processor time that the process has used, in milliseconds. Linux only: a tick is 10 of them. */
const processorTime = (): number => {
  const fields = readFileSync(`/proc/${gateway.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

describe('a config in a request', () => {
  serveGroup();

  it('has its patterns measured before they are compiled', async () => {
    expect((await send(matching('^loads the compiler$'))).status).toBe(200);
    const before = peakMemory();
    const { status, codes, ms } = await send(matching(...many(4, (index) => `${index}${'a{1000}'.repeat(980)}`)));
    expect([status, codes]).toEqual([400, ['invalid-config', 'invalid-regex']]);
    expect(ms).toBeLessThan(3000);
    expect(peakMemory() - before).toBeLessThan(100);
  });

  it('has a limit for all of its patterns together, wherever they are', async () => {
    const rules = many(50, (index) => `${index}${'[a-z]{700}'.repeat(4)}`);
    expect((await send(matching(...rules))).codes).toEqual(['invalid-config', 'patterns-too-large']);
    expect((await send(choosing(rules))).codes).toEqual(['invalid-config', 'patterns-too-large']);
    expect((await send(choosing(many(50, () => '[a-z]{700}')))).status).toBe(200);
  });

  it('has a limit for tests of list elements, because a body can have millions of those', async () => {
    const config = (...queries: readonly object[]): object => ({
      strategy: {
        mode: 'conditional',
        conditions: queries.map((query) => ({ query, then: 'one' })),
        default: 'one',
      },
      targets: [{ name: 'one', ...echo }],
    });
    const deep = (levels: number): object =>
      levels === 0 ? { type: 'text' } : { content: { $elemMatch: deep(levels - 1) } };
    const ways: readonly ((count: number) => object)[] = [
      (count) => ({ 'params.messages': { $elemMatch: { role: { $in: many(count, (at) => `role${at}`) } } } }),
      (count) => ({ 'params.messages': { $all: many(count + 1, (at) => at) } }),
      (count) => ({ 'params.messages': { $elemMatch: { $or: many(count, (at) => ({ role: `role${at}` })) } } }),
      (count) => ({ 'params.messages': { $not: { $elemMatch: deep(count - 1) } } }),
    ];
    for (const way of ways) {
      expect((await send(config(way(20)))).codes).toEqual(['invalid-config', 'too-many-element-tests']);
      expect((await send(config(...many(20, () => way(1))))).codes).toContain('too-many-element-tests');
      expect((await send(config(way(19)))).status).toBe(200);
    }
  });

  it('has a limit for its targets together with the guardrails that apply to each', async () => {
    const guardrails = many(60, () => ({ 'default.contains': { words: ['a'], operator: 'none' } }));
    const config = (targets: number): object => ({
      strategy: { mode: 'loadbalance' },
      input_guardrails: guardrails,
      targets: many(targets, () => echo),
    });
    expect((await send(config(90))).codes).toEqual(['invalid-config', 'config-too-large']);
    expect((await send(config(30))).status).toBe(200);
  });

  it('has a limit for the total length of what its targets inherit', async () => {
    const config = (inherited: object, targets: number): object => ({
      strategy: { mode: 'loadbalance' },
      ...inherited,
      targets: many(targets, () => echo),
    });
    const words = many(3000, (index) => `w${index}`);
    const guardrails = { input_guardrails: [{ 'default.contains': { words, operator: 'none' }, deny: true }] };
    const forwarded = { forward_headers: many(2500, (index) => `x-a${index}`) };
    const params = { override_params: { stop: words } };
    for (const inherited of [guardrails, forwarded, params]) {
      expect((await send(config(inherited, 99))).codes).toEqual(['invalid-config', 'config-too-large']);
      expect((await send(config(inherited, 4))).status).toBe(200);
    }
  });

  it('is refused immediately if it lists thousands of targets', async () => {
    const { codes, ms } = await send({ strategy: { mode: 'fallback' }, targets: many(9000, () => ({})) });
    expect(codes).toEqual(['invalid-config', 'too-many-targets']);
    expect(ms).toBeLessThan(4500);
  });

  it('is refused immediately if thousands of its conditions or checks have the wrong shape', async () => {
    await send(matching('^loads the compiler$'));
    const before = processorTime();
    const conditions = many(10_500, () => ({}));
    const strategy = { mode: 'conditional', conditions, default: 'one' };
    expect((await send({ strategy, targets: [{ name: 'one', ...echo }] })).codes).toContain('missing-key');
    const checks = many(10_500, () => ({}));
    const hooks = { before_request_hooks: [{ id: 'h', type: 'guardrail', checks }] };
    expect((await send({ ...echo, ...hooks })).codes).toContain('missing-key');
    expect(processorTime() - before).toBeLessThan(1500);
  });

  it('is refused quickly if hundreds of its conditions name none of its hundreds of targets', async () => {
    await send(matching('^loads the compiler$'));
    const before = processorTime();
    const conditions = many(400, (index) => ({ query: {}, then: `targat${index}` }));
    const targets = many(400, (index) => ({ name: `target${index}`, ...echo }));
    const { codes } = await send({ strategy: { mode: 'conditional', conditions, default: 'target1' }, targets });
    expect(codes).toContain('unknown-target');
    expect(processorTime() - before).toBeLessThan(1500);
  });
});

describe('a config in a request to a process with little memory', () => {
  serveGroup({ env: { NODE_OPTIONS: '--max-old-space-size=96' } });

  it('counts with its parameters in the cache: hundreds of different ones fit into memory', async () => {
    const toRequest = (at: number): SoakRequest => ({
      headers: {
        'x-gw-config': JSON.stringify({ name: `n${at}`, ...echo, override_params: { a: many(10_500, () => ({})) } }),
      },
      model: 'any',
      status: 200,
    });
    expect(await runSoak({ origin: gateway.origin, from: 0, to: 150, toRequest })).toEqual([]);
    expect((await send(echo)).status).toBe(200);
  });

  it('shares what its targets inherit: dozens of large, different ones fit into memory', async () => {
    const toRequest = (at: number): SoakRequest => {
      const config = {
        strategy: { mode: 'loadbalance' },
        input_guardrails: [{ 'default.regexMatch': { rule: `[a-z]{100}-${at}`, not: true }, deny: true }],
        targets: many(99, () => echo),
      };
      return { headers: { 'x-gw-config': JSON.stringify(config) }, model: 'any', status: 200 };
    };
    expect(await runSoak({ origin: gateway.origin, from: 0, to: 80, toRequest })).toEqual([]);
    expect((await send(echo)).status).toBe(200);
  });
});
