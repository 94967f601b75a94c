import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planMeaning } from '../../compiler/semantics/meaning.ts';
import { parseRational } from '../../compiler/semantics/rational.ts';
import { defaultReading } from '../../plugins/sdk/dialect/text-span.ts';
import { createVirtualClock } from '../../plugins/testkit/route/virtual-clock.ts';
import { simulate } from '../../runtime/simulation/simulate.ts';
import type { SimulatedRequest } from '../../schema/forecast/simulation.ts';
import type { Facts } from '../../schema/plan/condition.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { type PlanParts, sealed } from '../support/arbitraries/plan.ts';
import { plainParts } from '../support/arbitraries/plan-pair.ts';
import { spread } from '../support/arbitraries/plan-scenario.ts';
import { chiSquare, chiSquareLimit } from '../support/in-process/chi-square.ts';
import { scriptedPlugin } from '../support/in-process/scripted-plugin.ts';
import { slowLawMs } from '../support/run/law-runs.ts';

/** Fixed, so that the draws are the same every time. */
const seed = 20_261_125;
const requests = 600;

/** The statuses with which targets answer, by their ids. */
type Statuses = Readonly<Record<string, number>>;

const params = { model: 'gold', messages: [{ role: 'user', content: 'Hello.' }] };
const facts: Facts = { metadata: { tier: 'gold' }, params, url: { pathname: '/v1/chat/completions' } };

/** The exact probability of each sequence of calls. */
const expected = (plan: PlanParts, statuses: Statuses): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  const upstream = (target: string) => ({ kind: 'answer', status: statuses[target] ?? 200, headers: {} }) as const;
  for (const { probability, outcome } of planMeaning(plan, { requests: [{ afterMs: 0, facts }], upstream })) {
    const key = outcome.requests.flatMap(({ calls }) => calls.map(({ target }) => target)).join();
    const { numerator, denominator } = parseRational(probability);
    found.set(key, (found.get(key) ?? 0) + Number(numerator) / Number(denominator));
  }
  return found;
};

function* traffic(): Generator<SimulatedRequest, void, void> {
  for (let number = 0; number < requests; number += 1)
    yield {
      ...{ atMs: number * 10, kind: 0 },
      script: {
        ...{ method: 'POST', path: '/v1/chat/completions', headers: {}, metadata: { tier: 'gold' }, body: params },
        ...{ seed: seed + number, upstream: [] },
      },
    };
}

/** How often each sequence of calls was simulated. */
const simulated = async (plan: RoutingPlan, statuses: Statuses): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>();
  await simulate({
    plan,
    plugins: [scriptedPlugin(undefined)],
    clock: createVirtualClock(),
    reading: defaultReading,
    simulation: {
      requests: traffic(),
      reply: ({ id }) => ({ step: { status: statuses[id] ?? 200 }, afterMs: 25 }),
      answered: ({ calls }) => {
        const key = calls.map(({ target }) => target).join();
        counts.set(key, (counts.get(key) ?? 0) + 1);
      },
    },
  });
  return counts;
};

const status = fc.constantFrom(200, 200, 429, 503);
const statuses: fc.Arbitrary<Statuses> = fc.record({
  t0: status,
  t1: status,
  t2: status,
  t3: status,
  t4: status,
  t5: status,
});

describe('simulated traffic', { timeout: slowLawMs }, () => {
  it('makes only sequences of calls in the meaning of the plan, as often as their probabilities predict', async () => {
    const plans = plainParts.filter((plan) => {
      const runs = spread(plan.root, plan.targets);
      return runs > 1 && runs <= 24;
    });
    await fc.assert(
      fc.asyncProperty(plans, statuses, async (plan, answers) => {
        const odds = expected(plan, answers);
        const counts = await simulated(sealed(plan), answers);
        expect([...counts.keys()].filter((key) => !odds.has(key))).toEqual([]);
        expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(requests);
        const { statistic, degrees } = chiSquare(counts, odds, requests);
        expect(statistic).toBeLessThan(chiSquareLimit(degrees));
      }),
      { seed, numRuns: 40 },
    );
  });
});
