import { closest } from '../diagnostics/closest.ts';
import { type Check, defineCheck } from './define-check.ts';

const hintOf = (id: string, near: string | undefined): string => {
  if (near === undefined) return 'Add a check, or name a saved guardrail.';
  return near === id ? `Write "${id}" itself, without an object around it.` : `Did you mean "${near}"?`;
};

/** A hook or guardrail has something to check. */
export const emptyHooks: Check = defineCheck({
  name: 'empty-hooks',
  create: ({ reporter, sound, saved, trust }) => ({
    hook({ id, pointer, checks }) {
      if (checks.length > 0 || !sound.isWhole(pointer)) return;
      const near = trust === 'operator' ? closest(id, Object.keys(saved.guardrails)) : undefined;
      reporter.report(
        'no-effect',
        { pointer, part: 'value' },
        {
          setting: id,
          why: 'it has no checks',
          suggestion: hintOf(id, near),
        },
      );
    },
  }),
});
