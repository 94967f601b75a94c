import { describe, expect, it } from 'vitest';
import { constantCondition } from '../../../compiler/optimise/constant-condition.ts';
import { dropDecidedCases } from '../../../compiler/optimise/drop-decided-cases.ts';
import { dropUnreachableBranch } from '../../../compiler/optimise/drop-unreachable-branch.ts';
import type { Json } from '../../../schema/json/json.ts';
import type { Comparison, Condition, ConditionTest, ElementMatch } from '../../../schema/plan/condition.ts';
import { always, leafAt, never, tierIs, toBalance, toConditional } from '../../support/plans/plan-nodes.ts';

const [a, b, c] = [leafAt(0), leafAt(1), leafAt(2)] as const;
const gold = tierIs('gold');
const free = tierIs('free');

const tier = (op: Comparison, value: Json): ConditionTest => ({ kind: 'test', path: ['metadata', 'tier'], op, value });

const path = (op: Comparison, value: Json): ConditionTest => ({ kind: 'test', path: ['url', 'pathname'], op, value });

const element = (of: ElementMatch['of']): Condition => ({
  kind: 'element',
  path: ['metadata', 'groups'],
  element: 'any',
  of,
});

describe('the constant value of a condition', () => {
  it.each([
    ['an empty `all`', always, true],
    ['an empty `any`', never, false],
    ['an `all` with a condition that never holds', { kind: 'all', of: [gold, never] }, false],
    ['an `any` with a condition that always holds', { kind: 'any', of: [gold, always] }, true],
    ['an `all` whose conditions always hold', { kind: 'all', of: [always, always] }, true],
    ['an `any` whose conditions never hold', { kind: 'any', of: [never] }, false],
    ['an `all` with a condition that depends on the request', { kind: 'all', of: [always, gold] }, undefined],
    ['an `any` with a condition that depends on the request', { kind: 'any', of: [never, gold] }, undefined],
    ['a comparison', gold, undefined],
    ['membership in an empty list', tier('$in', []), false],
    ['non-membership in an empty list', tier('$nin', []), true],
    ['membership in a list', tier('$in', ['gold']), undefined],
    ['non-membership in a list', tier('$nin', ['gold']), undefined],
    ['equality with a list', tier('$eq', []), undefined],
    ['the presence of a value that every request has', path('$exists', true), true],
    ['the absence of a value that every request has', path('$exists', false), false],
    ['another comparison of a value that every request has', path('$eq', true), undefined],
    ['the presence of a value that a request may have', tier('$exists', true), undefined],
    ['the negation of a condition that always holds', { kind: 'not', of: tier('$nin', []) }, false],
    ['the negation of a condition that never holds', { kind: 'not', of: tier('$in', []) }, true],
    ['the negation of a condition that depends on the request', { kind: 'not', of: tier('$eq', 'gold') }, undefined],
    ['an element for which no condition holds', element({ kind: 'any', of: [] }), false],
    ['an element of any kind, which a list may lack', element({ kind: 'all', of: [] }), undefined],
    ['an element that is absent', element({ kind: 'test', path: [], op: '$exists', value: false }), false],
    ['an element that is present', element({ kind: 'test', path: [], op: '$exists', value: true }), undefined],
    [
      'an element that lacks a member',
      element({ kind: 'test', path: ['name'], op: '$exists', value: false }),
      undefined,
    ],
  ] satisfies [string, Condition, boolean | undefined][])('is right for %s', (_what, condition, expected) => {
    expect(constantCondition(condition)).toBe(expected);
  });
});

describe('drop decided cases', () => {
  it('ends at the first case that always matches', () => {
    const node = toConditional(
      [
        [gold, 0],
        [always, 1],
        [free, 2],
      ],
      2,
      a,
      b,
      c,
    );
    expect(dropDecidedCases.rewrite(node)).toEqual(toConditional([[gold, 0]], 1, a, b, c));
  });

  it('removes cases that never match, or that repeat an earlier case', () => {
    const node = toConditional(
      [
        [never, 2],
        [gold, 0],
        [gold, 2],
        [free, 1],
      ],
      2,
      a,
      b,
      c,
    );
    expect(dropDecidedCases.rewrite(node)).toEqual(
      toConditional(
        [
          [gold, 0],
          [free, 1],
        ],
        2,
        a,
        b,
        c,
      ),
    );
  });

  it('removes the last cases if they choose the default anyway', () => {
    const node = toConditional(
      [
        [gold, 1],
        [free, 0],
        [tierIs('7'), 1],
      ],
      1,
      a,
      b,
    );
    expect(dropDecidedCases.rewrite(node)).toEqual(
      toConditional(
        [
          [gold, 1],
          [free, 0],
        ],
        1,
        a,
        b,
      ),
    );
  });

  it('changes nothing if every case can change the choice', () => {
    for (const node of [
      toConditional(
        [
          [gold, 0],
          [free, 1],
        ],
        2,
        a,
        b,
        c,
      ),
      toConditional([], 0, a),
      toBalance([1, a], [1, b]),
    ])
      expect(dropDecidedCases.rewrite(node)).toBe(node);
  });
});

describe('drop unreachable branch', () => {
  it('removes branches that nothing refers to, and renumbers the others', () => {
    const node = toConditional([[gold, 2]], 1, a, b, c);
    expect(dropUnreachableBranch.rewrite(node)).toEqual(toConditional([[gold, 1]], 0, b, c));
  });

  it('changes nothing if every branch is referred to', () => {
    for (const node of [toConditional([[gold, 0]], 1, a, b), toConditional([], 0, a), toBalance([1, a], [0, b])])
      expect(dropUnreachableBranch.rewrite(node)).toBe(node);
  });
});
