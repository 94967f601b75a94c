import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../compiler/compile.ts';
import { planMeaning } from '../../compiler/semantics/meaning.ts';
import type { Reply, Scenario } from '../../compiler/semantics/scenario.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { Facts } from '../../schema/plan/condition.ts';
import { planScenario } from '../support/arbitraries/plan-scenario.ts';
import { scriptedCatalogue } from '../support/arbitraries/scripted-catalogue.ts';
import { runPlan } from '../support/in-process/run-plan.ts';
import { inBranchOrder } from '../support/plans/in-branch-order.ts';
import { dearLawRuns, slowLawMs } from '../support/run/law-runs.ts';

const toTarget = (name: string): JsonObject => ({
  ...{ provider: 'scripted', name, custom_host: `http://${name.replaceAll(' ', '-')}.test` },
});

const facts: Facts = { metadata: {}, params: {}, url: { pathname: '/v1/chat/completions' } };

describe('a plan that is run', () => {
  it(
    'produces exactly the outcomes that its meaning contains',
    async () => {
      await fc.assert(
        fc.asyncProperty(planScenario, async ({ plan, scenario }) => {
          expect(inBranchOrder(await runPlan(plan, scenario))).toEqual(inBranchOrder(planMeaning(plan, scenario)));
        }),
        dearLawRuns,
      );
    },
    slowLawMs,
  );

  it('mirrors the requests of two branches that a deadline ends at the same moment', async () => {
    const mirror = (name: string): JsonObject => ({ target: toTarget(name), percent: 100 });
    const hook = { 'test.scripted': { hook: 'in' } };
    const source = {
      deadline_ms: 5000,
      strategy: { mode: 'fallback', hedge: { after_ms: 13, budget_percent: 100 } },
      targets: [
        {
          mirror: mirror('first copy'),
          strategy: { mode: 'fallback' },
          targets: [{ ...toTarget('first'), input_guardrails: [hook], output_guardrails: [hook] }, toTarget('next')],
        },
        { ...toTarget('second'), mirror: mirror('second copy') },
      ],
    };
    const { plan, diagnostics } = compile(JSON.stringify(source), { trust: 'operator', catalogue: scriptedCatalogue });
    if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
    const scenario: Scenario = {
      requests: [{ afterMs: 0, facts: { ...facts, params: { stream: true } } }],
      upstream: () => ({ kind: 'hang' }),
    };
    const meant = inBranchOrder(planMeaning(plan, scenario));
    expect(meant[0]?.outcome.requests[0]?.mirrors).toHaveLength(2);
    expect(inBranchOrder(await runPlan(plan, scenario))).toEqual(meant);
  });

  it('sends the attempt that follows a retry for a check with the key that was drawn for it', async () => {
    const source = {
      ...toTarget('several'),
      keys: [{ api_key: '${env:KEY_A}' }, { api_key: '${env:KEY_B}' }],
      accounts: 'several',
      retry: { attempts: 1, on_status_codes: [446] },
      output_guardrails: [{ 'test.scripted': { hook: 'out' }, deny: true }],
    };
    const { plan, diagnostics } = compile(JSON.stringify(source), { trust: 'operator', catalogue: scriptedCatalogue });
    if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
    const scenario: Scenario = {
      requests: [{ afterMs: 0, facts: { ...facts, params: { stream: true } } }],
      upstream: (_target, _nth, key) =>
        key === 1 ? { kind: 'answer', status: 200, headers: {} } : { kind: 'cut', content: false },
      checks: () => 'retry',
    };
    const retrying = JSON.parse(
      JSON.stringify(plan).replace('"failOnError":false', '"failOnError":false,"retries":true'),
    );
    const meant = planMeaning(retrying, scenario);
    expect(meant.length).toBeGreaterThan(3);
    expect(await runPlan(retrying, scenario)).toEqual(meant);
  });

  it('continues a cut stream of a hedged branch that was faster than the first branch', async () => {
    const source = {
      strategy: { mode: 'fallback', hedge: { after_ms: 13, budget_percent: 100 } },
      targets: [
        toTarget('slow'),
        {
          name: 'others',
          strategy: { mode: 'fallback', continue: true },
          targets: [toTarget('cut'), toTarget('next')],
        },
      ],
    };
    const { plan } = compile(JSON.stringify(source), { trust: 'operator', catalogue: scriptedCatalogue });
    if (plan === undefined) throw new Error('The config has a plan.');
    const replies: { readonly [target: string]: Reply } = {
      slow: { kind: 'hang' },
      cut: { kind: 'cut', content: true },
      next: { kind: 'answer', status: 200, headers: {} },
    };
    const scenario: Scenario = {
      requests: [{ afterMs: 0, facts: { ...facts, params: { stream: true } } }],
      upstream: (target) => replies[target] ?? { kind: 'hang' },
    };
    const meant = planMeaning(plan, scenario);
    expect(meant[0]?.outcome.requests[0]?.trail).toContainEqual(expect.objectContaining({ kind: 'continued' }));
    expect(await runPlan(plan, scenario)).toEqual(meant);
  });

  it('mirrors a request that was sent to a target even if a group without able targets answers it', async () => {
    const source = {
      mirror: { target: toTarget('copy'), percent: 100 },
      strategy: { mode: 'fallback' },
      targets: [
        toTarget('first'),
        {
          name: 'others',
          strategy: { mode: 'fallback', require: 'capabilities' },
          targets: [toTarget('unable')],
        },
      ],
    };
    const { plan } = compile(JSON.stringify(source), { trust: 'operator', catalogue: scriptedCatalogue });
    if (plan === undefined) throw new Error('The config has a plan.');
    const scenario: Scenario = {
      requests: [
        {
          afterMs: 0,
          facts,
          unable: ['unable'],
        },
      ],
      upstream: () => ({ kind: 'answer', status: 500, headers: {} }),
    };
    const meant = planMeaning(plan, scenario);
    expect(meant[0]?.outcome.requests[0]).toMatchObject({ answer: { status: 422 }, mirrors: [{ target: 'copy' }] });
    expect(await runPlan(plan, scenario)).toEqual(meant);
  });
});
