import { describe, expect, it } from 'vitest';
import { asRecorded, type KnownFacts } from '../../../../compiler/cli/replay/as-recorded.ts';
import { rootPointer, toPointer } from '../../../../schema/json/pointer.ts';
import type { ConditionalNode, LoadbalanceNode, PlanNode } from '../../../../schema/plan/plan.ts';
import type { TrailEvent } from '../../../../schema/trail/trail.ts';
import { sampleLeaf } from '../../../support/plans/sample-plan.ts';

const fragile = sampleLeaf(2, [
  { kind: 'breaker', threshold: 1, cooldownMs: 30_000, failures: { kind: 'breaker-default' } },
]);

const byTier: ConditionalNode = {
  kind: 'conditional',
  path: toPointer(['targets', 0]),
  branches: [sampleLeaf(1), fragile],
  cases: [{ when: { kind: 'test', path: ['metadata', 'tier'], op: '$eq', value: 'gold' }, branch: 0 }],
  otherwise: 0,
};

const group: LoadbalanceNode = {
  kind: 'loadbalance',
  path: rootPointer,
  branches: [
    { weight: 1, node: byTier },
    { weight: 1, node: sampleLeaf(3) },
  ],
};

const unknown: KnownFacts = new Set(['url']);

const conditionalIn = (node: PlanNode): PlanNode | undefined =>
  node.kind === 'loadbalance' ? node.branches[0].node : undefined;

const recorded = (trail: readonly TrailEvent[], known: KnownFacts = unknown): PlanNode | undefined =>
  conditionalIn(asRecorded(group, { trail, known }));

describe('a plan with recorded decisions', () => {
  it('has its conditionals choose the recorded branches', () => {
    const trail: readonly TrailEvent[] = [{ kind: 'chose', path: byTier.path, branch: 1 }];
    expect(recorded(trail)).toMatchObject({ cases: [], otherwise: 1 });
  });

  it('lets a conditional decide if the facts that it reads are known', () => {
    const trail: readonly TrailEvent[] = [{ kind: 'chose', path: byTier.path, branch: 1 }];
    expect(recorded(trail, new Set(['metadata']))).toEqual(byTier);
  });

  it('has a skipped conditional choose a branch that a circuit can close', () => {
    expect(recorded([{ kind: 'skipped', path: rootPointer, branches: [0] }])).toMatchObject({
      cases: [],
      otherwise: 1,
    });
  });

  it('has all conditionals below a skipped branch choose such branches, whatever they would decide', () => {
    const decided: ConditionalNode = { ...byTier, cases: [], branches: [sampleLeaf(1), fragile] };
    const outer: ConditionalNode = { ...byTier, branches: [decided, fragile] };
    const plan: LoadbalanceNode = { ...group, branches: [{ weight: 1, node: outer }] };
    const trail: readonly TrailEvent[] = [{ kind: 'skipped', path: rootPointer, branches: [0] }];
    expect(conditionalIn(asRecorded(plan, { trail, known: unknown }))).toMatchObject({
      cases: [],
      otherwise: 0,
      branches: [{ cases: [], otherwise: 1 }, fragile],
    });
  });

  it('does not change a conditional that the trail does not mention', () => {
    expect(recorded([])).toEqual(byTier);
  });

  it('does not change a conditional whose recorded branch no longer exists', () => {
    expect(recorded([{ kind: 'chose', path: byTier.path, branch: 7 }])).toEqual(byTier);
  });
});
