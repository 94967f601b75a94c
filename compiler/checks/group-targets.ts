import { childPointer } from '../../schema/pointer.ts';
import { placeWords } from '../validate/words.ts';
import { type Check, defineCheck } from './define-check.ts';

/** A strategy has targets, and targets have a strategy. */
export const groupTargets: Check = defineCheck({
  name: 'group-targets',
  create: ({ reporter, sound }) => ({
    leaf({ pointer, config }, { source }) {
      const isAlone = source.kind === 'request' || source.kind === 'none' || source.kind === 'prompt';
      if (config.targets === undefined || !isAlone) return;
      const place = { pointer: childPointer(pointer, 'targets'), part: 'key' } as const;
      reporter.report('missing-strategy', place, { what: placeWords(pointer) });
    },
    group({ pointer, config }, { mode }) {
      const targets = childPointer(pointer, 'targets');
      if (mode === undefined || sound.isUnsound(targets) || (config.targets?.length ?? 0) > 0) return;
      reporter.report('missing-targets', { pointer: childPointer(pointer, 'strategy'), part: 'key' }, { mode });
    },
  }),
});
