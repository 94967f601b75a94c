import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asRecorded } from '../../compiler/cli/replay/as-recorded.ts';
import { readRequestFile } from '../../compiler/cli/replay/read-request-file.ts';
import { emitPlanJson } from '../../compiler/emit/emit-plan-json.ts';
import type { Scenario } from '../../compiler/semantics/scenario.ts';
import { createVirtualClock } from '../../plugins/testkit/route/virtual-clock.ts';
import { createRuntime } from '../../runtime/engine/gateway.ts';
import { wholeStages } from '../../runtime/engine/stages/whole-stages.ts';
import { createMemoryBreakers } from '../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../runtime/in-memory/seeded-chance.ts';
import { replay } from '../../runtime/simulation/replay.ts';
import { toPointer } from '../../schema/json/pointer.ts';
import { hashPlan } from '../../schema/plan/hash-plan.ts';
import { loadPlan } from '../../schema/plan/load-plan.ts';
import type { LeafNode, RoutingPlan, Stage } from '../../schema/plan/plan.ts';
import { PlanLoadError } from '../../schema/plan/plan-load-error.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import { routingPlan } from '../support/arbitraries/plan.ts';
import { scenario } from '../support/arbitraries/scenario.ts';
import { scriptedProvider } from '../support/arbitraries/scripted.ts';
import { sampleExchange } from '../support/in-process/sample-exchange.ts';
import { scriptedAbilities } from '../support/in-process/scripted-abilities.ts';
import { markBackground, scriptedPlugin } from '../support/in-process/scripted-plugin.ts';
import { createScriptedUpstreams } from '../support/in-process/scripted-upstreams.ts';
import { trailInBranchOrder } from '../support/plans/in-branch-order.ts';
import { breakerStage, leafAt, targetTable, tierIs, toBalance, toConditional } from '../support/plans/plan-nodes.ts';
import { samplePlan } from '../support/plans/sample-plan.ts';
import { dearLawRuns, slowLawMs } from '../support/run/law-runs.ts';

/** The request log entry of one request. See `runtime/server/logs/request-log.ts`. */
interface LogLine {
  readonly seed: number;
  readonly plan: string;
  readonly planModel: string | undefined;
  readonly route: string;
  readonly status: number;
  readonly stream?: true;
  readonly deadlineMs?: number | undefined;
  readonly trail: readonly TrailEvent[];
}

/** Serves the scenario's requests one after another and logs them. */
const serve = async (
  plan: RoutingPlan,
  { requests, upstream, checks, probes }: Scenario,
): Promise<readonly LogLine[]> => {
  const clock = createVirtualClock();
  const upstreams = createScriptedUpstreams(upstream, clock, probes === undefined ? {} : { probes });
  const breakers = createMemoryBreakers({ clock });
  const plugins = [scriptedPlugin(checks)];
  const unable = new Set<string>();
  const gateway = createRuntime({
    stageCode: wholeStages,
    plugins,
    ports: { clock, chance: seededChance, breakers, upstreams, abilities: scriptedAbilities(unable) },
  });
  const linked = gateway.link({ plan: { ...plan, root: markBackground(plan.root) }, secrets: (ref) => ref });
  const lines: LogLine[] = [];
  for (const [index, { afterMs, facts, deadlineMs, unable: unableNow = [] }] of requests.entries()) {
    clock.advance(afterMs);
    unable.clear();
    for (const target of unableNow) unable.add(target);
    const seed = 1000 + index;
    const exchange = sampleExchange(facts.params, {
      facts,
      seed,
      overrides: deadlineMs === undefined ? {} : { deadlineMs },
    });
    const { status, body } = await clock.settle(gateway.handle(exchange, linked));
    await clock.settle(
      new Promise<void>((resolve) => {
        if (body.kind === 'bytes') return resolve();
        body.onEnd(() => resolve());
        body.start({ write: () => true, onDrain: () => {}, end: () => {}, fail: () => {} });
      }),
    );
    const stream = facts.params.stream === true ? { stream: true as const } : {};
    const { trail } = exchange;
    const planModel = facts.plan?.model;
    lines.push({
      seed,
      plan: 'generated',
      planModel,
      route: 'POST /v1/chat/completions',
      status,
      ...stream,
      deadlineMs,
      trail,
    });
  }
  return lines;
};

const repeat = async (plan: RoutingPlan, line: LogLine) => {
  const { script, known } = readRequestFile(JSON.stringify(line), { file: 'log', plan });
  const root = asRecorded(plan.root, { trail: line.trail, known });
  return replay({
    plan: { ...plan, root },
    script,
    plugins: [scriptedPlugin(undefined)],
    clock: createVirtualClock(),
  });
};

const changes = fc.constantFrom<readonly [string, string]>(
  ['http://t0.test', 'http://t9.test'],
  ['"kind":"leaf"', '"kind":"branch"'],
  ['"weight":1', '"weight":2'],
  ['"strict":true', '"strict":false'],
  ['"attempts":1', '"attempts":2'],
);

describe('a plan', { timeout: slowLawMs }, () => {
  it('is unchanged after it is emitted and loaded', () => {
    fc.assert(
      fc.property(routingPlan, (generated) => {
        const plan = { ...generated, hash: hashPlan(generated) };
        expect(loadPlan(emitPlanJson(plan))).toEqual(plan);
      }),
      dearLawRuns,
    );
  });

  it('is rejected when it is loaded if its emitted text was changed', () => {
    fc.assert(
      fc.property(routingPlan, changes, (generated, [before, after]) => {
        const text = emitPlanJson({ ...generated, hash: hashPlan(generated) });
        fc.pre(text.includes(before));
        expect(() => loadPlan(text.replace(before, after))).toThrow(PlanLoadError);
      }),
      dearLawRuns,
    );
  });
});

describe('a line of the request log', () => {
  it(
    'replays the trail and the status that it recorded, for any circuits and checks',
    async () => {
      await fc.assert(
        fc.asyncProperty(routingPlan, scenario, async (plan, scene) => {
          for (const line of await serve(plan, scene)) {
            const { trail, status } = await repeat(plan, line);
            expect(trailInBranchOrder(trail)).toEqual(trailInBranchOrder(line.trail));
            expect(status).toBe(line.status);
          }
        }),
        dearLawRuns,
      );
    },
    slowLawMs,
  );

  it('replays the choice of a branch if a skipped branch contains a conditional without cases', async () => {
    const leaf = (index: number, ...list: readonly Stage[]): LeafNode => ({
      ...leafAt(index, ...list),
      path: toPointer(['leaves', index]),
    });
    const decided = { ...toConditional([], 0, leaf(0), leaf(1, breakerStage)), path: toPointer(['decided']) };
    const byTier = toConditional([[tierIs('gold'), 1]], 0, decided, leaf(2, breakerStage));
    const root = toBalance([1_000_000, { ...byTier, path: toPointer(['by-tier']) }], [1, leaf(3)]);
    const facts = { metadata: { tier: 'gold' }, params: {}, url: { pathname: '/v1/chat/completions' } };
    const plan = samplePlan(
      root,
      targetTable.map((target) => ({ ...target, upstream: { kind: 'custom', baseUrl: `http://${target.id}.test` } })),
    );
    const plugins = { providers: [scriptedProvider], checks: [], caches: [] };
    const scripted = { ...plan, requires: { ...plan.requires, plugins, secrets: [] } };
    const [, second] = await serve(scripted, {
      requests: [
        { afterMs: 0, facts },
        { afterMs: 0, facts },
      ],
      upstream: (target) => ({ kind: 'answer', status: target === 't2' ? 503 : 200, headers: {} }),
    });
    if (second === undefined) throw new Error('There are two requests.');
    expect(second.trail).toMatchObject([{ kind: 'skipped' }, { kind: 'chose', branch: 1 }, { target: 't3' }]);
    expect((await repeat(scripted, second)).trail).toEqual(second.trail);
  });
});
