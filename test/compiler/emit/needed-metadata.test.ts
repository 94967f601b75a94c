import { describe, expect, it } from 'vitest';
import { neededMetadata } from '../../../compiler/emit/needed-metadata.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import type { Condition, ConditionTest } from '../../../schema/plan/condition.ts';
import type { ConditionalNode, PlanNode } from '../../../schema/plan/plan.ts';
import { sampleLeaf } from '../../support/plans/sample-plan.ts';

const is = (key: string): ConditionTest => ({ kind: 'test', path: ['metadata', key], op: '$eq', value: 'x' });
const all = (...of: Condition[]): Condition => ({ kind: 'all', of });
const any = (...of: Condition[]): Condition => ({ kind: 'any', of });

const when = (conditions: readonly Condition[], branches: readonly PlanNode[] = []): ConditionalNode => ({
  kind: 'conditional',
  path: rootPointer,
  branches: [sampleLeaf(0), ...branches],
  cases: conditions.map((condition, index) => ({ when: condition, branch: branches.length > index ? index + 1 : 0 })),
  otherwise: 0,
});

const fragile = (node: PlanNode): PlanNode => ({
  kind: 'fallback',
  path: rootPointer,
  on: { kind: 'not-2xx' },
  branches: [
    sampleLeaf(1, [{ kind: 'breaker', threshold: 1, cooldownMs: 30_000, failures: { kind: 'breaker-default' } }]),
    node,
  ],
});

const needed = (node: PlanNode): readonly string[] => [...neededMetadata(node)].sort();

describe('the metadata that a caller must send', () => {
  it.each<[string, PlanNode, readonly string[]]>([
    ['is empty for a leaf', sampleLeaf(0), []],
    ['includes what the first condition of a conditional reads', when([is('a')]), ['a']],
    ['excludes what a later condition reads, because the first one may decide', when([is('a'), is('b')]), ['a']],
    ['includes what every part of an `all` reads', when([all(is('a'), is('b'))]), ['a', 'b']],
    ['includes only what each part of an `any` reads', when([any(all(is('a'), is('b')), is('b'))]), ['b']],
    ['is empty for an `any` without parts', when([any()]), []],
    ['includes what a negated test reads', when([{ kind: 'not', of: { ...is('a'), op: '$gt', value: 1 } }]), ['a']],
    ['excludes a member whose absence is tested', when([{ ...is('a'), op: '$exists', value: false }]), []],
    [
      'excludes the elements of a list',
      when([{ kind: 'element', path: ['params', 'tools'], element: 'object', of: is('a') }]),
      [],
    ],
    ['excludes what a nested conditional reads if only one branch has it', when([is('a')], [when([is('b')])]), ['a']],
    [
      'excludes a path into a value, which no request can send',
      when([{ kind: 'test', path: ['metadata', 'user', 'tier'], op: '$eq', value: 'x' }]),
      [],
    ],
    ['excludes paths outside metadata', when([{ kind: 'test', path: ['params', 'model'], op: '$eq', value: 'x' }]), []],
    [
      'includes what all branches of a load balance read, apart from those with weight 0',
      {
        kind: 'loadbalance',
        path: rootPointer,
        branches: [
          { weight: 1, node: when([all(is('a'), is('b'))]) },
          { weight: 1, node: when([all(is('b'), is('c'))]) },
          { weight: 0, node: sampleLeaf(0) },
        ],
      },
      ['b'],
    ],
    [
      'includes what the first branch of a fallback reads',
      { kind: 'fallback', path: rootPointer, on: { kind: 'not-2xx' }, branches: [when([is('a')]), when([is('b')])] },
      ['a'],
    ],
    [
      'excludes what only the second branch of a fallback reads, even if the first may be skipped',
      fragile(when([is('a')])),
      [],
    ],
  ])('%s', (_, node, expected) => {
    expect(needed(node)).toEqual(expected);
  });

  it('does not depend on the order of keys', () => {
    expect(needed(when([all(is('b'), is('a'))]))).toEqual(needed(when([all(is('a'), is('b'))])));
  });
});
