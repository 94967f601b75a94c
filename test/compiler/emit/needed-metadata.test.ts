import { describe, expect, it } from 'vitest';
import { neededMetadata } from '../../../compiler/emit/needed-metadata.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import type { Condition, ConditionTest } from '../../../schema/plan/condition.ts';
import type { ConditionalNode, PlanNode } from '../../../schema/plan/plan.ts';
import { sampleLeaf } from '../../support/sample-plan.ts';

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
    ['a leaf reads nothing', sampleLeaf(0), []],
    ['the first condition of a conditional is always read', when([is('a')]), ['a']],
    ['a later condition is not, where the first may decide', when([is('a'), is('b')]), ['a']],
    ['all of an all', when([all(is('a'), is('b'))]), ['a', 'b']],
    ['of an any what each part reads', when([any(all(is('a'), is('b')), is('b'))]), ['b']],
    ['nothing of an any of nothing', when([any()]), []],
    ['what a negated test reads', when([{ kind: 'not', of: { ...is('a'), op: '$gt', value: 1 } }]), ['a']],
    ['nothing whose absence is asked for', when([{ ...is('a'), op: '$exists', value: false }]), []],
    [
      'nothing of the elements of a list',
      when([{ kind: 'element', path: ['params', 'tools'], element: 'object', of: is('a') }]),
      [],
    ],
    ['a nested conditional counts where every branch has it', when([is('a')], [when([is('b')])]), ['a']],
    [
      'nothing of a path into a value, which no request can bring',
      when([{ kind: 'test', path: ['metadata', 'user', 'tier'], op: '$eq', value: 'x' }]),
      [],
    ],
    [
      'paths beside metadata do not count',
      when([{ kind: 'test', path: ['params', 'model'], op: '$eq', value: 'x' }]),
      [],
    ],
    [
      'a load balance reads what all of its branches read',
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
      'a fallback reads what its first branch reads',
      { kind: 'fallback', path: rootPointer, on: { kind: 'not-2xx' }, branches: [when([is('a')]), when([is('b')])] },
      ['a'],
    ],
    ['a fallback whose first branch may be left out reads what both read', fragile(when([is('a')])), []],
  ])('%s', (_, node, expected) => {
    expect(needed(node)).toEqual(expected);
  });

  it('does not depend on the order of keys', () => {
    expect(needed(when([all(is('b'), is('a'))]))).toEqual(needed(when([all(is('a'), is('b'))])));
  });
});
