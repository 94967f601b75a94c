import { isSameJson } from '../../../schema/json/is-same-json.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { Condition } from '../../../schema/plan/condition.ts';
import { formatList } from '../../../schema/text/format-list.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import type { IrCondition } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';
import { implies as impliesAlways } from './condition-logic.ts';
import { findConflict, type Reason } from './conflict.ts';
import { labelPremises } from './label-premises.ts';
import { type ListedValues, listedAtPlace } from './listed-values.ts';
import { type Given, isAlways, isCovered, isNever } from './may-hold.ts';
import { findOverlap as overlapOf } from './overlap.ts';
import { rememberPairs, sameCondition } from './remembered.ts';

/** A condition is compared with at most this many before it, because every pair takes time. */
const maxCompared = 100;

/** The maximum number of comparisons for all conditions of one strategy, beyond those of pairs. */
const maxEffort = 40_000;

const implies: typeof impliesAlways = rememberPairs(impliesAlways);
const findOverlap: typeof overlapOf = rememberPairs(overlapOf);

/** A valid condition, with its index in the list. */
interface Known {
  readonly number: number;
  readonly when: Condition;
  readonly then: string | undefined;
  /** The values that match it, if it lists those of one place. */
  readonly listed: ListedValues | undefined;
}

/** Whether two conditions are for different values of the same place, so that they have nothing in common. */
const areApart = ({ listed: one }: Known, { listed: other }: Known): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.place === other.place &&
  ![...one.values].some((value) => other.values.has(value));

/** Explains that several conditions together leave nothing for a later one. */
const whyCoveredByAll = (when: Condition, before: readonly Known[], given: Given): Reason | undefined => {
  if (before.length < 2) return undefined;
  const all = before.map((each) => each.when);
  if (!isCovered(when, all, given)) return undefined;
  // A condition is not named if the others cover everything without it.
  const needed = before.reduce<readonly Known[]>((kept, each) => {
    const others = kept.filter((one) => one !== each);
    const isSpare = isCovered(
      when,
      others.map((one) => one.when),
      given,
    );
    return isSpare ? others : kept;
  }, before);
  return {
    why: `condition ${formatList(
      needed.map(({ number }) => String(number)),
      'or',
    )} matches whenever this one does`,
    suggestion: 'Put the narrower condition first, or remove it.',
  };
};

const whyCovered = (when: Condition, before: readonly Known[], given: Given): Reason | undefined => {
  const shadow = before.find((each) => implies(when, each.when));
  if (shadow === undefined) return whyCoveredByAll(when, before, given);
  return isSameJson(shadow.when, when)
    ? { why: `condition ${shadow.number} has the same query`, suggestion: 'Remove one of the two.' }
    : {
        why: `condition ${shadow.number} matches whenever this one does`,
        suggestion: 'Put the narrower condition first, or remove it.',
      };
};

interface Looking {
  readonly pointer: JsonPointer;
  readonly before: readonly Known[];
  readonly given: Given;
  readonly reporter: CompileContext['reporter'];
}

/** Reports what is wrong with a condition. Returns whether later conditions can still be chosen. */
const look = (known: Known, { pointer, before: all, given, reporter }: Looking): boolean => {
  const { number, when, then } = known;
  const place = { pointer: childPointer(pointer, 'query'), part: 'key' } as const;
  if (isNever(when, given)) {
    const isSaid = reporter
      .diagnostics()
      .some((each) => each.code === 'undeclared-value' && each.pointer.startsWith(`${place.pointer}/`));
    // A value that no request has is the reason, and is reported at its own place.
    if (!isSaid) reporter.report('unreachable-condition', place, findConflict(when));
    return true;
  }
  const before = all.filter((each) => !areApart(each, known));
  const covered = whyCovered(when, before, given);
  if (covered !== undefined) {
    reporter.report('unreachable-condition', place, covered);
    return true;
  }
  if (isAlways(when, given)) {
    reporter.report('constant-condition', place, {});
    return false;
  }
  for (const earlier of before) {
    const overlap = earlier.then === then || implies(earlier.when, when) ? undefined : findOverlap(earlier.when, when);
    if (overlap === undefined) continue;
    reporter.report('overlapping-conditions', place, { first: earlier.number, second: number, ...overlap });
    break;
  }
  return true;
};

const lookAll = (conditions: readonly IrCondition[], { reporter, saved }: CompileContext): void => {
  const all = conditions.flatMap(({ when }) => when ?? []);
  const given = { premises: labelPremises(saved.labels ?? {}, all), effort: { left: maxEffort } };
  const before: Known[] = [];
  for (const [index, { when, pointer, then }] of conditions.entries()) {
    if (when === undefined) continue;
    const met = sameCondition(when);
    const known = { number: index + 1, when: met, then: then?.value, listed: listedAtPlace(met) };
    // A condition that always matches reports what follows it, once.
    if (!look(known, { pointer, before, given, reporter })) return;
    if (before.length < maxCompared) before.push(known);
  }
};

/** Checks that each condition can choose its target, and does not choose it where another one is meant to. */
export const reachableConditions: Check = defineCheck({
  name: 'reachable-conditions',
  create: (context) => ({
    group({ pointer: at, config }, { mode, conditions }) {
      if (mode !== 'conditional') return;
      const { reporter } = context;
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
      lookAll(conditions, context);
    },
  }),
});
