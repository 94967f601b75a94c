import { childPointer } from '../../../schema/json/pointer.ts';
import { wholeWeights } from '../../lower/whole-weights.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Checks that the weights of a load balance leave something to choose from, and can be represented exactly. */
export const weights: Check = defineCheck({
  name: 'weights',
  create: ({ reporter }) => ({
    group({ pointer }, { mode, targets }) {
      if (mode !== 'loadbalance' || targets.length === 0) return;
      const group = { pointer: childPointer(pointer, 'targets'), part: 'key' } as const;
      const given = targets.map(({ config }) => config.weight ?? 1);
      const place = (index: number) =>
        ({ pointer: childPointer(targets[index]?.pointer ?? pointer, 'weight'), part: 'value' }) as const;
      for (const [index, weight] of given.entries())
        if (weight < 0) reporter.report('negative-weight', place(index), {});
      if (given.some((weight) => weight < 0)) return;
      if (given.every((weight) => weight === 0)) {
        reporter.report('all-zero-weights', place(0), {});
        return;
      }
      for (const [index, weight] of given.entries()) if (weight === 0) reporter.report('zero-weight', place(index), {});
      if (wholeWeights(given) === undefined) reporter.report('uneven-weights', group, {});
    },
  }),
});
