import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { loadPlan } from '../../../schema/plan/load-plan.ts';
import type { CompileResult, RoutingPlan } from '../../../schema/plan/plan.ts';

const catalogue = buildCatalogue(builtinPlugins);
const openai = { provider: 'openai', api_key: '${env:KEY}' };
const compiled = (config: JsonObject): CompileResult =>
  compile(JSON.stringify(config), { trust: 'operator', catalogue, file: 'a.json', name: 'a' });
const toPlan = (config: JsonObject): RoutingPlan => compiled(config).plan ?? expect.unreachable();

const fallback = (hedge: JsonObject | undefined, more: JsonObject = {}): JsonObject => ({
  strategy: { mode: 'fallback', ...(hedge === undefined ? {} : { hedge }), ...more },
  targets: [openai, { ...openai, custom_host: 'https://other.example/v1' }],
});

/** Returns the code and place of each diagnostic. */
const reported = (config: JsonObject): readonly string[] =>
  compiled(config).diagnostics.map(({ code, pointer }) => `${code} ${pointer}`);

describe('a hedge in a plan', () => {
  it('is part of its fallback and of its hash, and a feature that a gateway must support', () => {
    const plan = toPlan(fallback({ after_ms: 800 }));
    expect(plan.root).toMatchObject({ kind: 'fallback', hedge: { afterMs: 800, budgetPercent: 10 } });
    expect(plan.requires.features).toEqual(['hedge']);
    expect(loadPlan(JSON.stringify(plan))).toEqual(plan);
    expect(toPlan(fallback({ after_ms: 800, budget_percent: 11 })).hash).not.toBe(plan.hash);
    expect(toPlan(fallback(undefined)).requires.features).toEqual([]);
  });

  it('adds no calls or waits to the bounds of the fallback', () => {
    expect(toPlan(fallback({ after_ms: 800 })).bounds).toEqual(toPlan(fallback(undefined)).bounds);
  });

  it('keeps the targets of a fallback that has no status codes', () => {
    const never = { on_status_codes: [] };
    expect(toPlan(fallback(undefined, never)).root.kind).toBe('leaf');
    expect(toPlan(fallback({ after_ms: 800 }, never)).bounds.calls).toBe(2);
  });

  it.each([
    ['after_ms', [0, -1, 1.5, 600_001, '1s', null]],
    ['budget_percent', [0, 101, 0.5, '10', null]],
  ])('is rejected, at its place, with an invalid %s', (name, values) => {
    for (const value of values)
      expect(reported(fallback({ after_ms: 800, [name]: value }))).toContainEqual(
        expect.stringMatching(`^[a-z-]+ /strategy/hedge/${name}$`),
      );
  });

  it('has no effect unless it is in a fallback with another target', () => {
    const hedge = { after_ms: 800 };
    for (const config of [
      { strategy: { mode: 'fallback', hedge }, targets: [openai] },
      { strategy: { mode: 'loadbalance', hedge }, targets: [openai, openai] },
    ])
      expect(reported(config)).toContain('no-effect /strategy/hedge');
  });

  it('may call the same target again, but a third one that is equal is reported', () => {
    const same = (count: number, hedge: JsonObject | undefined): readonly string[] =>
      reported({ ...fallback(hedge), targets: Array.from({ length: count }, () => openai) });
    expect(same(2, undefined)).toEqual(['equal-targets /targets/1']);
    expect(same(2, { after_ms: 800 })).toEqual([]);
    expect(same(3, { after_ms: 800 })).toEqual(['equal-targets /targets/2']);
  });

  it('is reported if it would start at or after the deadline of the request', () => {
    expect(reported({ deadline_ms: 800, ...fallback({ after_ms: 800 }) })).toEqual([
      'late-hedge /strategy/hedge/after_ms',
    ]);
    expect(reported({ deadline_ms: 801, ...fallback({ after_ms: 800 }) })).toEqual([]);
  });

  it('is reported below a node whose requests are copied, as without the copies', () => {
    const mirror = { percent: 1, target: { ...openai, custom_host: 'https://copy.example/v1' } };
    const nested = { strategy: { mode: 'loadbalance' }, targets: [fallback({ after_ms: 800 }), openai] };
    expect(reported({ deadline_ms: 800, mirror, ...nested })).toEqual([
      'late-hedge /targets/0/strategy/hedge/after_ms',
    ]);
  });
});
