import { describe, expect, it } from 'vitest';
import { compile } from '../../../../compiler/compile.ts';
import type { Reply, ScenarioUpstream } from '../../../../compiler/semantics/scenario.ts';
import type { TenantId } from '../../../../plugins/sdk/exchange/exchange.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { createRuntime } from '../../../../runtime/engine/gateway.ts';
import type { LinkedPlan } from '../../../../runtime/engine/link.ts';
import { wholeStages } from '../../../../runtime/engine/stages/whole-stages.ts';
import { createMemoryBreakers } from '../../../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../../../runtime/in-memory/seeded-chance.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { scriptedCatalogue } from '../../../support/arbitraries/scripted-catalogue.ts';
import { sampleExchange, toTenant } from '../../../support/in-process/sample-exchange.ts';
import { scriptedPlugin } from '../../../support/in-process/scripted-plugin.ts';
import { createScriptedUpstreams } from '../../../support/in-process/scripted-upstreams.ts';

const names = ['KEY_A', 'KEY_B', 'KEY_C'] as const;
const five = [...names, 'KEY_D', 'KEY_E'] as const;
type Name = (typeof five)[number];

const entry = (name: Name, weight: number): JsonObject => ({ api_key: `\${env:${name}}`, weight });

const okay: Reply = { kind: 'answer', status: 200, headers: {} };
const refusing = (status: number, headers = {}): Reply => ({ kind: 'answer', status, headers });

interface Asked {
  readonly key: number | undefined;
  readonly status: number;
}

/** A gateway with plans over one provider, which answers each key as `replies` specifies. */
const world = (replies: Partial<Record<Name, Reply>>) => {
  const clock = createVirtualClock();
  const used: Name[] = [];
  const upstream: ScenarioUpstream = (_target, _nth, key) => replies[five[key ?? 0] ?? 'KEY_A'] ?? okay;
  const upstreams = createScriptedUpstreams(upstream, clock, {
    findKey: (_target, line) => {
      const key = five.findIndex((name) => line === `Bearer \${env:${name}}`);
      used.push(five[key] ?? 'KEY_A');
      return key;
    },
  });
  const runtime = createRuntime({
    stageCode: wholeStages,
    plugins: [scriptedPlugin(undefined)],
    ports: { clock, chance: seededChance, breakers: createMemoryBreakers({ clock }), upstreams },
  });
  const link = (config: JsonObject): LinkedPlan => {
    const text = JSON.stringify({ provider: 'scripted', custom_host: 'http://t.test', ...config });
    const { plan, diagnostics } = compile(text, { trust: 'operator', catalogue: scriptedCatalogue });
    if (plan === undefined) throw new Error(JSON.stringify(diagnostics));
    return runtime.link({ plan, secrets: (ref) => ref });
  };
  const ask = async (linked: LinkedPlan, seed: number, tenant: TenantId = toTenant('tenant')): Promise<Asked> => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
    const exchange = sampleExchange(body, { seed, principal: { tenant } });
    const { status } = await clock.settle(linked.execute(exchange));
    const last = exchange.trail.findLast((event) => event.kind === 'attempted');
    return { status, key: last?.key };
  };
  return { clock, used, link, ask, replies };
};

const pool = (...weights: readonly number[]): JsonObject => ({
  keys: names.map((name, at) => entry(name, weights[at] ?? 1)),
});

/**
 * The value that one in a thousand exceeds, for two degrees of freedom:
 * https://www.itl.nist.gov/div898/handbook/eda/section3/eda3674.htm.
 */
const critical = 13.82;

const chiSquare = (counts: readonly number[], weights: readonly number[]): number => {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return counts.reduce((sum, count, at) => {
    const expected = (all * (weights[at] ?? 0)) / total;
    return expected === 0 ? sum + count * 1e9 : sum + (count - expected) ** 2 / expected;
  }, 0);
};

describe('the key of an attempt', () => {
  it.each([
    [{}, [5, 3, 2], [5, 3, 2]],
    [{ KEY_A: refusing(401) }, [5, 3, 2], [0, 3, 2]],
    [{}, [1, 0, 3], [1, 0, 3]],
  ] as const)('is drawn by weight among the usable keys', async (replies, weights, expected) => {
    const { link, ask } = world(replies);
    const linked = link(pool(...weights));
    // The first request that draws a refused key finds out that it is refused.
    for (let seed = 1; seed <= 50; seed += 1) await ask(linked, seed);
    const counts = [0, 0, 0];
    for (let seed = 1000; seed < 4000; seed += 1) {
      const { key = 0, status } = await ask(linked, seed);
      expect(status).toBe(200);
      counts[key] = (counts[key] ?? 0) + 1;
    }
    expect(chiSquare(counts, expected)).toBeLessThan(critical);
  });

  it.each([
    ['for as long as its provider specifies', refusing(429, { 'retry-after': '7' }), 7000],
    ['for ten seconds if its provider specifies nothing', refusing(429), 10_000],
    ['for at most an hour', refusing(429, { 'retry-after': '86400' }), 3_600_000],
    ['for a minute if it is refused', refusing(401), 60_000],
    ['for five minutes if it has no credit left', refusing(402), 300_000],
  ])('is skipped %s', async (_how, reply, ms) => {
    const { clock, used, link, ask, replies } = world({ KEY_A: reply });
    const linked = link(pool(1e9, 1, 0));
    expect(await ask(linked, 1)).toEqual({ key: 1, status: 200 });
    clock.advance(ms - 1);
    await ask(linked, 2);
    expect(used).toEqual(['KEY_A', 'KEY_B', 'KEY_B']);
    clock.advance(1);
    delete replies.KEY_A;
    expect(await ask(linked, 3)).toEqual({ key: 0, status: 200 });
  });

  it('is skipped twice as long after each further refusal, and starts again once it was accepted', async () => {
    const { clock, used, link, ask, replies } = world({ KEY_A: refusing(401) });
    const linked = link(pool(1e9, 1, 0));
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      await ask(linked, minutes);
      expect(used.splice(0)).toEqual(['KEY_A', 'KEY_B']);
      clock.advance(minutes * 60_000 - 1);
      await ask(linked, minutes);
      expect(used.splice(0)).toEqual(['KEY_B']);
      clock.advance(1);
    }
    delete replies.KEY_A;
    await ask(linked, 1);
    replies.KEY_A = refusing(401);
    await ask(linked, 1);
    clock.advance(60_000);
    used.length = 0;
    await ask(linked, 1);
    expect(used).toEqual(['KEY_A', 'KEY_B']);
  });

  it('is one of at most three keys that are tried, and of as many again in a retry', async () => {
    // A refused key may be used again after a millisecond, so all of them can be in the retry.
    const refused = five.map((name) => [name, refusing(429, { 'retry-after-ms': '1' })]);
    for (const attempts of [0, 1]) {
      const { used, link, ask } = world(Object.fromEntries(refused));
      const linked = link({ keys: five.map((name) => entry(name, 1)), retry: { attempts } });
      expect((await ask(linked, 1)).status).toBe(429);
      expect(used).toHaveLength(3 * (attempts + 1));
      const different = [used.slice(0, 3), used.slice(3)].map((keys) => new Set(keys).size);
      expect(different).toEqual([3, 3 * attempts]);
    }
  });

  it('is skipped only for its workspace, but in all plans with the same pool', async () => {
    const { used, link, ask } = world({ KEY_A: refusing(401) });
    const first = link(pool(1e9, 1, 0));
    const second = link({ ...pool(1e9, 1, 1), override_params: { temperature: 0 } });
    await ask(first, 1);
    used.length = 0;
    await ask(second, 1);
    expect(used).not.toContain('KEY_A');
    await ask(first, 1, toTenant('other'));
    expect(used).toContain('KEY_A');
  });

  it('does not change the hash of its leaf if another key is added after it', () => {
    const { link } = world({});
    const hashes = [pool(1, 1, 1), { keys: [entry('KEY_A', 1)] }].map((each) => {
      const { root } = link(each).plan;
      return root.kind === 'leaf' && root.hash;
    });
    expect(hashes[0]).toBe(hashes[1]);
    const other = link({ keys: [entry('KEY_B', 1)] }).plan.root;
    expect(other.kind === 'leaf' && other.hash).not.toBe(hashes[0]);
  });
});
