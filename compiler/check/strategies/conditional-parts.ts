import { childPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Checks that a conditional strategy has conditions and a default, and that it can choose every target. */
export const conditionalParts: Check = defineCheck({
  name: 'conditional-parts',
  create: ({ reporter, sound }) => ({
    group({ pointer, config }, { mode, targets, conditions, default: otherwise }) {
      if (mode !== 'conditional') return;
      const strategy = childPointer(pointer, 'strategy');
      const isMissing = (field: 'conditions' | 'default'): boolean =>
        config.strategy?.[field] === undefined && !sound.isUnusable(childPointer(strategy, field));
      const place = { pointer: strategy, part: 'key' } as const;
      if (isMissing('default')) reporter.report('missing-default', place, {});
      if (isMissing('conditions')) reporter.report('missing-conditions', place, {});
      if (otherwise === undefined || config.strategy?.conditions === undefined) return;
      if (!sound.isFullyUsable(childPointer(strategy, 'conditions'))) return;
      const named = new Set([otherwise.value, ...conditions.map(({ then }) => then?.value)]);
      // A name that no target has is reported elsewhere, and may be meant for this target.
      if ([...named].some((name) => targets.every((target) => target.config.name !== name))) return;
      for (const target of targets)
        if (target.config.name === undefined || !named.has(target.config.name))
          reporter.report('unused-target', { pointer: target.pointer, part: 'value' }, {});
    },
  }),
});
