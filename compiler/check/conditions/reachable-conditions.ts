import { canonicalJson } from '../../../schema/json/canonical.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import { constantCondition } from '../../optimise/constant-condition.ts';
import type { IrCondition } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';
import { implies, isNever } from './condition-logic.ts';

/** A condition is compared with at most so many before it, since every pair takes time. */
const maxCompared = 100;

/** Why a condition never chooses its target, and what to do. */
interface Reason {
  readonly why: string;
  readonly suggestion: string;
}

const findReason = (conditions: readonly IrCondition[], index: number): Reason | undefined => {
  const when = conditions[index]?.when;
  if (when === undefined) return undefined;
  if (isNever(when))
    return { why: 'no request meets all of its tests', suggestion: 'Correct the query, or remove the condition.' };
  const earlier = conditions.slice(0, Math.min(index, maxCompared));
  const shadow = earlier.findIndex(({ when: before }) => before !== undefined && implies(when, before));
  const before = conditions[shadow]?.when;
  if (before === undefined || constantCondition(before) === true) return undefined;
  return canonicalJson(before) === canonicalJson(when)
    ? { why: `condition ${shadow + 1} has the same query`, suggestion: 'Remove one of the two.' }
    : {
        why: `condition ${shadow + 1} holds whenever this one does`,
        suggestion: 'Put the narrower condition first, or remove it.',
      };
};

/** Each condition can choose its target. */
export const reachableConditions: Check = defineCheck({
  name: 'reachable-conditions',
  create: ({ reporter }) => ({
    group({ pointer: at, config }, { mode, conditions }) {
      if (mode !== 'conditional') return;
      if (config.strategy?.conditions?.length === 0)
        reporter.report(
          'no-effect',
          { pointer: childPointer(at, 'strategy', 'conditions'), part: 'key' },
          {
            setting: 'conditions',
            why: 'the list is empty, so the default is always used',
            suggestion: 'Add a condition, or write the default target without a strategy.',
          },
        );
      for (const [index, { when, pointer }] of conditions.entries()) {
        const place = { pointer: childPointer(pointer, 'query'), part: 'key' } as const;
        const reason = findReason(conditions, index);
        if (reason !== undefined) reporter.report('unreachable-condition', place, { ...reason });
        else if (when !== undefined && constantCondition(when) === true)
          reporter.report('constant-condition', place, {});
      }
    },
  }),
});
