import { childPointer } from '../../../schema/json/pointer.ts';
import { drawnByWeight } from '../../../schema/plan/plan.ts';
import { suggestion } from '../../diagnostics/closest.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Checks that a loaded plugin provides the way of choosing that a load balance names. */
export const balances: Check = defineCheck({
  name: 'balances',
  create: ({ reporter, catalogue: { choosers } }) => ({
    group({ pointer, config: { strategy } }) {
      const { balance = drawnByWeight } = strategy ?? {};
      if (balance === drawnByWeight || choosers.has(balance)) return;
      reporter.report(
        'unknown-balance',
        { pointer: childPointer(pointer, 'strategy', 'balance'), part: 'value' },
        { balance, suggestion: suggestion(balance, [drawnByWeight, ...choosers.keys()]) },
      );
    },
  }),
});
