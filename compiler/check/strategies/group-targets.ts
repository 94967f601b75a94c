import { childPointer } from '../../../schema/json/pointer.ts';
import type { IrSource } from '../../resolve/tree/ir-node.ts';
import { describePlace } from '../../schema-errors/words.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Whether the config itself names no provider, so that only its targets can be meant. */
const isAlone = (source: IrSource): boolean => {
  if (source.kind === 'saved') return source.by === 'override_params';
  return source.kind !== 'inline';
};

/** Checks that a strategy has targets, and that targets have a strategy. */
export const groupTargets: Check = defineCheck({
  name: 'group-targets',
  create: ({ reporter, sound }) => ({
    leaf({ pointer, config }, { source }) {
      if (config.targets === undefined || !isAlone(source)) return;
      const place = { pointer: childPointer(pointer, 'targets'), part: 'key' } as const;
      reporter.report('missing-strategy', place, { what: describePlace(pointer) });
    },
    group({ pointer, config }, { mode }) {
      const targets = childPointer(pointer, 'targets');
      if (mode === undefined || sound.isUnusable(targets) || (config.targets?.length ?? 0) > 0) return;
      reporter.report('missing-targets', { pointer: childPointer(pointer, 'strategy'), part: 'key' }, { mode });
    },
  }),
});
