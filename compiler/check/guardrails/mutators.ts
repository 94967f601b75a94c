import { type Check, defineCheck } from '../visitor/define-check.ts';

/** A mutator changes what is sent, so nothing is left for it to do in the background. */
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
