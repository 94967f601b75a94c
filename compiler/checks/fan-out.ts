import { childPointer } from '../../schema/pointer.ts';
import { maxConditionalRootTargets, maxLeaves, maxNestedTargets, maxRootTargets } from '../ir/limits.ts';
import { type Check, defineCheck } from './define-check.ts';

/** A config has no more targets than a gateway should hold for one. */
export const fanOut: Check = defineCheck({
  name: 'fan-out',
  create: ({ reporter }) => {
    let leaves = 0;
    return {
      leaf() {
        leaves++;
      },
      group({ pointer }, { mode, targets }) {
        const rootLimit = mode === 'conditional' ? maxConditionalRootTargets : maxRootTargets;
        const limit = pointer === '' ? rootLimit : maxNestedTargets;
        const place = { pointer: childPointer(pointer, 'targets'), part: 'key' } as const;
        if (targets.length > limit) reporter.report('too-many-targets', place, { count: targets.length, limit });
      },
      end({ pointer }) {
        const place = { pointer: childPointer(pointer, 'targets'), part: 'key' } as const;
        if (leaves > maxLeaves) reporter.report('too-many-targets', place, { count: leaves, limit: maxLeaves });
      },
    };
  },
});
