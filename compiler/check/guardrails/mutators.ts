import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Checks that a mutator is not configured to run in the background, where it could not change anything. */
export const mutators: Check = defineCheck({
  name: 'mutators',
  create: ({ reporter }) => ({
    hook({ id, type, async, pointer }) {
      if (type !== 'mutator' || !async) return;
      reporter.report(
        'no-effect',
        { pointer, part: 'value' },
        {
          setting: id,
          why: 'a mutator in the background could not change anything, so it does not run',
          suggestion: 'Remove "async".',
        },
      );
    },
  }),
});
