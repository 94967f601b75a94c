import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayBeUnavailable } from '../../../compiler/optimise/may-be-unavailable.ts';
import { rewritePlan } from '../../../compiler/optimise/rewrite-plan.ts';
import { rewrites } from '../../../compiler/optimise/rewrites.ts';
import { listNodes } from '../../../schema/plan/list-branches.ts';
import { listLeaves } from '../../../schema/plan/list-leaves.ts';
import type { LeafNode, PlanNode } from '../../../schema/plan/plan.ts';
import { planParts } from '../../support/arbitraries/plan.ts';
import {
  always,
  breakerStage,
  codes,
  leafAt,
  not2xx,
  tierIs,
  toBalance,
  toConditional,
  toFallback,
} from '../../support/plans/plan-nodes.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const [a, b, c] = [leafAt(0), leafAt(1), leafAt(2)] as const;
const guarded = leafAt(4, breakerStage);
const gold = tierIs('gold');

describe('rewriting a plan', () => {
  it('applies a law that another law made possible, up to the root', () => {
    const plan = toFallback(
      not2xx,
      toBalance([0, c], [2, toFallback(not2xx, a, toFallback(codes(), b, c))]),
      toConditional([[always, 1]], 0, a, c),
    );
    expect(rewritePlan(plan)).toEqual(toFallback(not2xx, a, b, c));
  });

  it('merges nested load balances into one', () => {
    const plan = toBalance([1, toBalance([1, a], [1, toBalance([2, b], [2, c])])], [1, toBalance([3, c])]);
    expect(rewritePlan(plan)).toEqual(toBalance([2, a], [1, b], [1, c], [4, c]));
  });

  it('is idempotent: rewriting a rewritten plan returns the same object', () => {
    fc.assert(
      fc.property(planParts, ({ root }) => {
        const rewritten = rewritePlan(root);
        expect(rewritePlan(rewritten)).toBe(rewritten);
        const nodes = listNodes(rewritten);
        // Below a group that requires capabilities, leaves that no request reaches are kept.
        const isKept = nodes.some((node) => 'require' in node);
        const laws = rewrites.filter(({ dropsLeaves }) => !isKept || dropsLeaves !== true);
        for (const node of nodes) for (const { rewrite } of laws) expect(rewrite(node)).toBe(node);
      }),
      lawRuns,
    );
  });

  it('keeps the places and hashes of the remaining leaves, which may take over mirrors of removed groups', () => {
    const bare = ({ mirrors: _mirrors, ...leaf }: LeafNode): object => leaf;
    fc.assert(
      fc.property(planParts, ({ root }) => {
        const before = listLeaves(root).map(bare);
        for (const leaf of listLeaves(rewritePlan(root))) expect(before).toContainEqual(bare(leaf));
      }),
      lawRuns,
    );
  });

  it('has a unique name and a law for every rewrite', () => {
    const names = rewrites.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, law } of rewrites) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/);
      expect(law).toMatch(/^\S.+ = \S.*/);
    }
  });
});

describe('whether a branch may be unavailable', () => {
  it.each([
    ['a leaf with a breaker', guarded, true],
    ['a leaf without a breaker', a, false],
    ['a leaf with another stage', leafAt(0, { kind: 'retry', attempts: 1, on: [], useRetryAfter: false }), false],
    ['a load balance whose branches may all be unavailable', toBalance([1, guarded], [1, guarded]), true],
    ['a load balance in which only branches of weight 0 are always available', toBalance([1, guarded], [0, a]), true],
    ['a load balance with a branch that is always available', toBalance([1, guarded], [1, a]), false],
    ['a fallback whose branches may all be unavailable', toFallback(not2xx, guarded, guarded), true],
    ['a fallback with a branch that is always available', toFallback(not2xx, guarded, a), false],
    ['a conditional with a branch that may be unavailable', toConditional([[gold, 0]], 1, a, guarded), true],
    ['a conditional whose branches are always available', toConditional([[gold, 0]], 1, a, b), false],
  ] satisfies [string, PlanNode, boolean][])('is decided correctly for %s', (_what, node, expected) => {
    expect(mayBeUnavailable(node)).toBe(expected);
  });
});
