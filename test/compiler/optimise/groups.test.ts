import { describe, expect, it } from 'vitest';
import { collapseSingleBranch } from '../../../compiler/optimise/collapse-single-branch.ts';
import { dropDeadBranch } from '../../../compiler/optimise/drop-dead-branch.ts';
import { flattenFallback } from '../../../compiler/optimise/flatten-fallback.ts';
import { flattenLoadbalance } from '../../../compiler/optimise/flatten-loadbalance.ts';
import { mayBeUnavailable } from '../../../compiler/optimise/may-be-unavailable.ts';
import { rewritePlan } from '../../../compiler/optimise/rewrite-plan.ts';
import type { PlanNode } from '../../../schema/plan/plan.ts';
import {
  breakerStage,
  codes,
  leafAt,
  not2xx,
  tierIs,
  toBalance,
  toConditional,
  toFallback,
} from '../../support/plans/plan-nodes.ts';

const [a, b, c, d] = [leafAt(0), leafAt(1), leafAt(2), leafAt(3)] as const;
const guarded = leafAt(4, breakerStage);

describe('collapse single branch', () => {
  it.each([
    ['load balance', toBalance([3, a])],
    ['fallback', toFallback(not2xx, a)],
    ['conditional', toConditional([[tierIs('gold'), 0]], 0, a)],
  ])('replaces a %s with one branch by that branch', (_kind, group) => {
    expect(collapseSingleBranch.rewrite(group)).toBe(a);
  });

  it.each([
    ['load balance', toBalance([1, a], [0, b])],
    ['fallback', toFallback(not2xx, a, b)],
    ['conditional', toConditional([], 0, a, b)],
    ['leaf', a],
  ])('does not change a %s with another branch', (_kind, node) => {
    expect(collapseSingleBranch.rewrite(node)).toBe(node);
  });
});

const mirrored = <Node extends PlanNode>(node: Node): Node => ({
  ...node,
  mirrors: [{ path: node.path, percent: 10, leaf: leafAt(9) }],
});

describe('mirrors', () => {
  it('of a branch do not change if the group around it has none', () => {
    const branch = mirrored(a);
    expect(collapseSingleBranch.rewrite(toBalance([3, branch]))).toBe(branch);
  });

  it('keep an inner group separate', () => {
    const fallback = toFallback(not2xx, a, mirrored(toFallback(not2xx, b, c)));
    expect(flattenFallback.rewrite(fallback)).toBe(fallback);
    const balance = toBalance([1, a], [1, mirrored(toBalance([1, b], [1, c]))]);
    expect(flattenLoadbalance.rewrite(balance)).toBe(balance);
  });
});

describe('a group that does more than its branches', () => {
  it('is not flattened, and does not absorb another group', () => {
    const more = (node: PlanNode): readonly PlanNode[] =>
      node.kind === 'fallback'
        ? [
            { ...node, continues: true },
            { ...node, hedge: { afterMs: 10, budgetPercent: 10 } },
          ]
        : [{ ...node, balance: 'latency' } as PlanNode];
    const [fallback, balance] = [toFallback(not2xx, b, c), toBalance([1, b], [1, c])];
    for (const inner of more(fallback)) {
      const node = toFallback(not2xx, a, inner);
      expect(flattenFallback.rewrite(node)).toBe(node);
    }
    for (const outer of more(toFallback(not2xx, a, fallback))) expect(flattenFallback.rewrite(outer)).toBe(outer);
    for (const inner of more(balance)) {
      const node = toBalance([1, a], [1, inner]);
      expect(flattenLoadbalance.rewrite(node)).toBe(node);
    }
    for (const outer of more(toBalance([1, a], [1, balance]))) expect(flattenLoadbalance.rewrite(outer)).toBe(outer);
  });
});

const requiring = <Group extends PlanNode>(group: Group): Group => ({ ...group, require: 'capabilities' });

describe('a group that requires capabilities', () => {
  it.each([
    ['load balance', requiring(toBalance([3, a]))],
    ['fallback', requiring(toFallback(not2xx, a))],
  ])('is not collapsed: a %s rejects what its branch cannot serve', (_kind, node) => {
    expect(collapseSingleBranch.rewrite(node)).toBe(node);
  });

  it('keeps the branches after one that is always available, because it may lack capabilities', () => {
    const node = requiring(toFallback(codes(), a, b));
    expect(rewritePlan(node)).toBe(node);
    const around = requiring(toFallback(not2xx, c, toFallback(codes(), a, b)));
    expect(rewritePlan(around)).toBe(around);
  });

  it('absorbs a group with the same requirement, and no other', () => {
    const inner = toFallback(not2xx, b, c);
    expect(flattenFallback.rewrite(requiring(toFallback(not2xx, a, requiring(inner))))).toEqual(
      requiring(toFallback(not2xx, a, b, c)),
    );
    for (const node of [requiring(toFallback(not2xx, a, inner)), toFallback(not2xx, a, requiring(inner))])
      expect(flattenFallback.rewrite(node)).toBe(node);
    const balanced = toBalance([1, b], [1, c]);
    for (const node of [requiring(toBalance([1, a], [1, balanced])), toBalance([1, a], [1, requiring(balanced)])])
      expect(flattenLoadbalance.rewrite(node)).toBe(node);
  });
});

describe('drop dead branch', () => {
  it.each([
    ['an empty list', codes()],
    ['only interim statuses', codes(100, 199)],
    ['only numbers that are not statuses', codes(600, 1000, 200.5)],
  ])('with %s as the trigger ends a fallback at the first branch that is always available', (_what, on) => {
    expect(dropDeadBranch.rewrite(toFallback(on, guarded, a, b))).toEqual(toFallback(on, guarded, a));
  });

  it('keeps all branches if each may be unavailable', () => {
    const node = toFallback(codes(), guarded, toFallback(not2xx, guarded));
    expect(dropDeadBranch.rewrite(node)).toBe(node);
  });

  it('keeps the branches of a fallback with a hedge, which calls the second one if the first is slow', () => {
    const node = { ...toFallback(codes(), a, b), hedge: { afterMs: 10, budgetPercent: 10 } };
    expect(dropDeadBranch.rewrite(node)).toBe(node);
  });

  it.each([
    ['a possible status', codes(200)],
    ['the highest possible status', codes(599)],
    ['the default', not2xx],
  ])('with %s as the trigger keeps all branches', (_what, on) => {
    const node = toFallback(on, a, b);
    expect(dropDeadBranch.rewrite(node)).toBe(node);
  });

  it('changes nothing if no branch follows the one that is always available', () => {
    const node = toFallback(codes(), guarded, a);
    expect(dropDeadBranch.rewrite(node)).toBe(node);
    expect(dropDeadBranch.rewrite(toBalance([1, a], [1, b]))).toEqual(toBalance([1, a], [1, b]));
  });
});

describe('mayBeUnavailable', () => {
  it.each<[string, PlanNode, boolean]>([
    ['a fallback with a branch that may be unavailable', toFallback(not2xx, guarded, b), false],
    ['a load balance with a branch that may be unavailable', toBalance([1, guarded], [1, b]), false],
    ['a fallback whose branches may all be unavailable', toFallback(not2xx, guarded, guarded), true],
    [
      'a load balance whose branches may all be unavailable, apart from one that is never drawn',
      toBalance([1, guarded], [0, b]),
      true,
    ],
    [
      'a fallback that requires capabilities, with a branch that may be unavailable',
      requiring(toFallback(not2xx, guarded, b)),
      true,
    ],
    [
      'a load balance that requires capabilities, with a branch that may be unavailable',
      requiring(toBalance([1, guarded], [1, b])),
      true,
    ],
    [
      'a fallback that requires capabilities, with branches that are always available',
      requiring(toFallback(not2xx, a, b)),
      false,
    ],
    [
      'a load balance that requires capabilities, with branches that are always available',
      requiring(toBalance([1, a], [1, b])),
      false,
    ],
  ])('is right for %s', (_what, node, expected) => {
    expect(mayBeUnavailable(node)).toBe(expected);
  });
});

describe('flatten fallback', () => {
  it('absorbs the branches of an inner fallback with the same trigger, in its place', () => {
    const inner = toFallback(codes(500, 429), b, c);
    expect(flattenFallback.rewrite(toFallback(codes(429, 500), a, inner, d))).toEqual(
      toFallback(codes(429, 500), a, b, c, d),
    );
  });

  it('also absorbs branches that may be unavailable', () => {
    const inner = toFallback(not2xx, guarded, b);
    expect(flattenFallback.rewrite(toFallback(not2xx, a, inner))).toEqual(toFallback(not2xx, a, guarded, b));
  });

  it.each([
    ['more codes', codes(429), codes(429, 500)],
    ['fewer codes', codes(429, 500), codes(429)],
    ['codes, if the outer one has the default trigger', not2xx, codes(500)],
    ['the default trigger, if the outer one has codes', codes(500), not2xx],
  ])('does not absorb an inner fallback with %s', (_what, outer, inner) => {
    const node = toFallback(outer, a, toFallback(inner, b, c));
    expect(flattenFallback.rewrite(node)).toBe(node);
  });

  it('does not change other groups', () => {
    const node = toFallback(not2xx, a, toBalance([1, b], [1, c]));
    expect(flattenFallback.rewrite(node)).toBe(node);
    const balance = toBalance([1, toFallback(not2xx, a, b)], [1, c]);
    expect(flattenFallback.rewrite(balance)).toBe(balance);
  });
});
