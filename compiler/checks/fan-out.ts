import { childPointer } from '../../schema/pointer.ts';
import type { IrHook } from '../ir/ir-hook.ts';
import type { Settings, Stated } from '../ir/ir-node.ts';
import {
  maxCallerWeight,
  maxConditionalRootTargets,
  maxLeaves,
  maxNestedTargets,
  maxRootTargets,
} from '../validate/limits.ts';
import { type Check, defineCheck } from './define-check.ts';

const checksIn = (hooks: Stated<readonly IrHook[]> | undefined): number =>
  (hooks?.value ?? []).reduce((sum, { checks }) => sum + checks.length, 0);

/** What a leaf is made of: itself, and the settings and checks that hold there. */
const weightOf = (settings: Settings): number =>
  1 + Object.keys(settings).length + checksIn(settings.inputHooks) + checksIn(settings.outputHooks);

/** A config has no more targets than a gateway should hold for one. */
export const fanOut: Check = defineCheck({
  name: 'fan-out',
  create: ({ reporter, trust }) => {
    let leaves = 0;
    let weight = 0;
    return {
      leaf({ settings }) {
        leaves++;
        weight += weightOf(settings);
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
        else if (trust === 'caller' && weight > maxCallerWeight)
          reporter.report('config-too-large', { pointer, part: 'value' }, { count: weight, limit: maxCallerWeight });
      },
    };
  },
});
