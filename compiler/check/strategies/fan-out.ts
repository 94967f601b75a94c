import { childPointer } from '../../../schema/json/pointer.ts';
import type { Settings } from '../../resolve/tree/ir-node.ts';
import {
  charactersPerWeight,
  maxCallerWeight,
  maxConditionalRootTargets,
  maxLeaves,
  maxNestedTargets,
  maxRootTargets,
} from '../../schema-errors/limits.ts';
import { type Check, defineCheck, hooksOf } from '../visitor/define-check.ts';

const nothing = {};

/** Creates a function that weighs objects by their length and counts each object once, even if many leaves inherit it. */
const extras = (): ((value: object) => number) => {
  const known = new Map<object, number>();
  return (value) => {
    const extra = known.get(value) ?? Math.floor(JSON.stringify(value).length / charactersPerWeight);
    known.set(value, extra);
    return extra;
  };
};

/** Weighs a leaf by its parts: itself, and the settings and checks that apply to it. Long parts count by their length. */
const toWeight = (settings: Settings, toExtra: (value: object) => number): number => {
  const { override_params: params, forward_headers: names } = settings;
  const checks = hooksOf(settings).flatMap((hook) => hook.checks);
  const long = checks.reduce((sum, { parameters }) => sum + toExtra(parameters), 0);
  return (
    1 +
    Object.keys(settings).length +
    checks.length +
    long +
    toExtra(params?.value ?? nothing) +
    toExtra(names?.value ?? nothing)
  );
};

/** Checks that a config has no more targets than a gateway should hold for one config. */
export const fanOut: Check = defineCheck({
  name: 'fan-out',
  create: ({ reporter, trust }) => {
    let leaves = 0;
    let weight = 0;
    const toExtra = extras();
    return {
      leaf({ settings }) {
        leaves++;
        if (trust !== 'operator') weight += toWeight(settings, toExtra);
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
        else if (trust !== 'operator' && weight > maxCallerWeight)
          reporter.report('config-too-large', { pointer, part: 'value' }, { count: weight, limit: maxCallerWeight });
      },
    };
  },
});
