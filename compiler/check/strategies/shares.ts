import type { Fix } from '../../../schema/errors/fix.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Weights from here on are taken for percentages if they are beside fractions, or beside a missing weight. */
const minPercent = 10;

const isFraction = (weight: number): boolean => weight > 0 && weight < 1;
const isPercent = (weight: number): boolean => weight >= minPercent;

/** Returns a share of a sum in percent, with one decimal. */
const toPercent = (share: number, sum: number): number => Math.round((share / sum) * 1000) / 10;

const reportMixed = (targets: readonly IrNode[], sum: number, { reporter }: CompileContext): void => {
  const weights = targets.map(({ config }) => config.weight ?? 1);
  const index = weights.findIndex(isFraction);
  const [target, share, other] = [targets[index], weights[index], weights.find(isPercent)];
  if (target === undefined || share === undefined || other === undefined) return;
  reporter.report(
    'mixed-weights',
    { pointer: childPointer(target.pointer, 'weight'), part: 'value' },
    { share, other, percent: toPercent(share, sum) },
  );
};

/** Returns the weight that completes the others to 1 or to 100 percent, if exactly one is missing. */
const findRest = (targets: readonly IrNode[]): number | undefined => {
  const given = targets.flatMap(({ config }) => config.weight ?? []);
  if (given.length !== targets.length - 1) return undefined;
  const whole = given.every((weight) => weight < 1) ? 1 : 100;
  const rest = whole - given.reduce((sum, weight) => sum + weight, 0);
  // Sums of fractions are not exact.
  const rounded = Math.round(rest * 1e6) / 1e6;
  return rounded > 0 && (whole === 1 || !given.some(isFraction)) ? rounded : undefined;
};

const reportForgotten = (targets: readonly IrNode[], sum: number, { reporter }: CompileContext): void => {
  const other = targets.flatMap(({ config }) => config.weight ?? []).find((one) => isFraction(one) || isPercent(one));
  if (other === undefined) return;
  const rest = findRest(targets);
  for (const { pointer, config } of targets) {
    if (config.weight !== undefined) continue;
    const at = childPointer(pointer, 'weight');
    const fix: Fix | undefined =
      rest === undefined ? undefined : { kind: 'guess', edits: [{ kind: 'add', at, value: rest }] };
    reporter.report('forgotten-weight', { pointer, part: 'value', fix }, { other, percent: toPercent(1, sum) });
  }
};

/** Checks that the weights of a load balance are all fractions or all percentages, and that none is missing. */
export const shares: Check = defineCheck({
  name: 'shares',
  create: (context) => ({
    group(_, { mode, targets }) {
      if (mode !== 'loadbalance') return;
      const sum = targets.reduce((total, { config }) => total + (config.weight ?? 1), 0);
      reportMixed(targets, sum, context);
      reportForgotten(targets, sum, context);
    },
  }),
});
