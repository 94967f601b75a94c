import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, compileUnrewritten } from '../../compiler/compile.ts';
import { planMeaning } from '../../compiler/semantics/meaning.ts';
import { observableMeaning } from '../../compiler/semantics/observable-meaning.ts';
import { type Scenario, scenarioEpochMs } from '../../compiler/semantics/scenario.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { CompileResult, RoutingPlan } from '../../schema/plan/plan.ts';
import { config } from '../support/arbitraries/config.ts';
import { bounded, spread } from '../support/arbitraries/plan-scenario.ts';
import { scenario } from '../support/arbitraries/scenario.ts';
import { scriptedCatalogue } from '../support/arbitraries/scripted-catalogue.ts';
import { denoteConfig } from '../support/denote/denote-config.ts';
import { writeOut } from '../support/plans/write-out.ts';
import { dearLawRuns, slowLawMs } from '../support/run/law-runs.ts';

const toPlan = ({ plan, diagnostics }: CompileResult): RoutingPlan => {
  if (plan === undefined) throw new Error(JSON.stringify(diagnostics.filter(({ severity }) => severity === 'error')));
  return plan;
};

const options = { trust: 'operator', catalogue: scriptedCatalogue } as const;

/** Skips plans with too many draws to try every combination. */
const smallEnough = (plan: RoutingPlan): void => fc.pre(spread(plan.root, plan.targets) <= 200);

const expectMeant = (plan: RoutingPlan, source: JsonObject, scene: Scenario): void => {
  const few = bounded(scene, plan);
  expect(observableMeaning(planMeaning(plan, few))).toEqual(denoteConfig(source, few, scenarioEpochMs));
};

describe('a compiled plan', { timeout: slowLawMs }, () => {
  it(
    'has the meaning of its config before it is rewritten',
    () => {
      fc.assert(
        fc.property(config, scenario, (source, scene) => {
          const plan = toPlan(compileUnrewritten(JSON.stringify(source), options));
          smallEnough(plan);
          expectMeant(plan, source, scene);
        }),
        dearLawRuns,
      );
    },
    slowLawMs,
  );

  it(
    'has the meaning of its config after it is rewritten',
    () => {
      fc.assert(
        fc.property(config, scenario, (source, scene) => {
          const plan = toPlan(compile(JSON.stringify(source), options));
          smallEnough(plan);
          expectMeant(plan, source, scene);
        }),
        dearLawRuns,
      );
    },
    slowLawMs,
  );

  it('shares the circuit of a credential among key pools with the same first key, but not with a single key', () => {
    const keys = (...names: readonly string[]): JsonObject => ({
      keys: names.map((name) => ({ api_key: `\${env:${name}}` })),
    });
    const credentials: readonly JsonObject[] = [
      keys('KEY_A', 'KEY_B'),
      keys('KEY_A', 'KEY_C'),
      keys('KEY_B', 'KEY_A'),
      { api_key: '${env:KEY_A}' },
      {},
    ];
    const source = {
      cb_config: { failure_threshold: 1, cooldown_interval: 30_000 },
      breaker: { by: ['error'] },
      strategy: { mode: 'fallback' },
      targets: credentials.map((credential, index) => ({ provider: 'scripted', name: `t-${index}`, ...credential })),
    };
    const asked = { afterMs: 0, facts: { metadata: {}, params: {}, url: { pathname: '/v1/chat/completions' } } };
    const scene: Scenario = {
      requests: [asked, asked],
      upstream: (target) => ({ kind: 'answer', status: target === 't-0' ? 401 : 500, headers: {} }),
    };
    const plan = toPlan(compile(JSON.stringify(source), options));
    expectMeant(plan, source, scene);
    const states = planMeaning(plan, scene)[0]?.outcome.circuits.flatMap(({ path, of, circuit }) =>
      of?.kind === 'credential' ? [[path, circuit.state]] : [],
    );
    expect(states).toEqual([
      ['/targets/0', 'open'],
      ['/targets/1', 'open'],
      ['/targets/2', 'closed'],
      ['/targets/3', 'closed'],
      ['/targets/4', 'closed'],
    ]);
  });

  it('matches a path pattern that is written with or without the API version', () => {
    const matched = (pattern: string): string | undefined => {
      const source = {
        strategy: {
          mode: 'conditional',
          conditions: [{ query: { 'url.pathname': { $regex: pattern } }, then: 'match' }],
          default: 'other',
        },
        targets: [
          { provider: 'scripted', name: 'match' },
          { provider: 'scripted', name: 'other' },
        ],
      };
      const scene: Scenario = {
        requests: [{ afterMs: 0, facts: { metadata: {}, params: {}, url: { pathname: '/v1/chat/completions' } } }],
        upstream: () => ({ kind: 'answer', status: 200, headers: {} }),
      };
      const plan = toPlan(compile(JSON.stringify(source), options));
      expectMeant(plan, source, scene);
      return planMeaning(plan, scene)[0]?.outcome.requests[0]?.calls[0]?.target;
    };
    expect(['^/chat', '^/v1/chat', '^/completions'].map(matched)).toEqual(['match', 'match', 'other']);
  });
});

describe('inheritance', { timeout: slowLawMs }, () => {
  it('yields the same plan hash as settings that are written out at every leaf', () => {
    fc.assert(
      fc.property(config, (source) => {
        const inherited = toPlan(compile(JSON.stringify(source), options));
        const byHand = toPlan(compile(JSON.stringify(writeOut(source)), options));
        expect(byHand.hash).toBe(inherited.hash);
      }),
      dearLawRuns,
    );
  });
});
