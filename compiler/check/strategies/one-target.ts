import { childPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const reasons = {
  fallback: 'there is nothing to fall back to',
  loadbalance: 'there is nothing to balance',
} as const;

/** Checks that a fallback or a load balance has more than one target. */
export const oneTarget: Check = defineCheck({
  name: 'one-target',
  create: ({ reporter, sound }) => ({
    group({ pointer, config }, { mode, targets }) {
      if ((mode !== 'fallback' && mode !== 'loadbalance') || targets.length !== 1) return;
      if (config.targets?.length !== 1 || sound.isUnusable(childPointer(pointer, 'targets'))) return;
      const place = { pointer: childPointer(pointer, 'targets'), part: 'key' } as const;
      reporter.report('one-target', place, { mode, why: reasons[mode] });
    },
  }),
});
