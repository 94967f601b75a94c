import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { withDefaultHooks } from '../../../compiler/with-default-hooks.ts';
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

describe('the limits of a request in a plan', () => {
  it('belong to the root, are features that a gateway must support, and are part of its hash', () => {
    const plan = toPlan({ ...openai, deadline_ms: 30_000, max_cost_usd: 0.5 });
    expect(plan).toMatchObject({ deadlineMs: 30_000, maxCostUsd: 0.5 });
    expect(plan.requires.features).toEqual(['deadline', 'max-cost']);
    expect(plan.hash).not.toBe(toPlan({ ...openai, deadline_ms: 30_001, max_cost_usd: 0.5 }).hash);
    const without = toPlan(openai);
    expect(without.requires.features).toEqual([]);
    expect([Object.hasOwn(without, 'deadlineMs'), Object.hasOwn(without, 'maxCostUsd')]).toEqual([false, false]);
  });

  it('limit the wait of the plan, unless its time-outs are shorter', () => {
    const waits = (deadline_ms: number): number =>
      toPlan({ ...openai, request_timeout: 5000, deadline_ms }).bounds.waitMs;
    expect([waits(3000), waits(5000), waits(60_000)]).toEqual([3000, 5000, 5000]);
  });

  it('are kept when checks are added to the plan', () => {
    const plan = toPlan({ ...openai, deadline_ms: 30_000, max_cost_usd: 0.5 });
    const defaults = toPlan({
      ...openai,
      input_guardrails: [{ 'default.contains': { words: ['a'], operator: 'any' } }],
    });
    expect(withDefaultHooks(plan, defaults, catalogue)).toMatchObject({
      deadlineMs: 30_000,
      maxCostUsd: 0.5,
      requires: { features: ['deadline', 'input-checks', 'max-cost'] },
    });
  });

  it.each([
    ['deadline_ms', [0, -1, 1.5, '30s', null, true, 2_147_483_648]],
    ['max_cost_usd', [0, -0.5, '0.5', null, 1_000_001]],
  ])('%s with an invalid value is an error at its place with a hint', (name, values) => {
    for (const value of values) {
      const { plan, diagnostics } = compiled({ ...openai, [name]: value });
      expect(plan).toBeUndefined();
      expect(diagnostics).toMatchObject([{ severity: 'error', pointer: `/${name}`, hint: expect.any(String) }]);
    }
  });

  it.each(['deadline_ms', 'max_cost_usd'])('%s in a target is an error, no matter how deeply nested', (name) => {
    const inner = { strategy: { mode: 'fallback' }, targets: [{ ...openai, [name]: 5000 }, openai] };
    const { diagnostics } = compiled({ strategy: { mode: 'fallback' }, targets: [inner, openai] });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'setting-of-root', pointer: `/targets/0/targets/0/${name}` },
    ]);
  });

  it.each([
    ['deadlineMs', [0, 1.5, '5', 2_147_483_648]],
    ['maxCostUsd', [0, -1, '5', 1_000_001]],
  ])('%s with a value that no compiler writes is rejected when the plan is loaded', (name, values) => {
    const plan = toPlan(openai);
    for (const value of values) expect(() => loadPlan(JSON.stringify({ ...plan, [name]: value }))).toThrow(`/${name}`);
  });
});
