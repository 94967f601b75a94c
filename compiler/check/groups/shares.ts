import { childPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Weights from here on are taken for percents where they stand beside fractions. */
const leastPercent = 10;

/** The weights of a load balance are fractions, or percents, but not both. */
export const shares: Check = defineCheck({
  name: 'shares',
  create: ({ reporter }) => ({
    group(_, { mode, targets }) {
      if (mode !== 'loadbalance') return;
      const weights = targets.map(({ config }) => config.weight ?? 1);
      const sum = weights.reduce((total, weight) => total + weight, 0);
      const isFraction = (weight: number): boolean => weight > 0 && weight < 1;
      const index = weights.findIndex(isFraction);
      const [target, share] = [targets[index], weights[index]];
      if (target === undefined || share === undefined) return;
      const place = { pointer: childPointer(target.pointer, 'weight'), part: 'value' } as const;
      const percent = Math.round((share / sum) * 1000) / 10;
      const large = weights.find((weight) => weight >= leastPercent);
      if (large !== undefined)
        reporter.report('mixed-weights', place, {
          share,
          other: large,
          percent,
          suggestion: 'Write all weights as fractions, or all as percents.',
        });
      else if (targets.some(({ config }) => config.weight === undefined))
        reporter.report('mixed-weights', place, {
          share,
          other: 'the default of 1',
          percent,
          suggestion: 'Give every target a weight; a target without one has 1.',
        });
    },
  }),
});
