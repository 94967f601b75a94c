import { type Check, defineCheck } from './define-check.ts';

/** A hook or guardrail has something to check. */
export const emptyHooks: Check = defineCheck({
  name: 'empty-hooks',
  create: ({ reporter, sound }) => ({
    hook({ id, pointer, checks }) {
      if (checks.length > 0 || !sound.isWhole(pointer)) return;
      reporter.report(
        'no-effect',
        { pointer, part: 'value' },
        {
          setting: id,
          why: 'it has no checks',
          suggestion: 'Add a check, or name a saved guardrail.',
        },
      );
    },
  }),
});
