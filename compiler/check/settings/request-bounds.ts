import { childPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** The settings of a whole request, and what a target may have instead. */
const settings = {
  deadline_ms: 'Move it to the root of the config; "request_timeout" limits each attempt at this target.',
  max_cost_usd:
    'Move it to the root of the config; a limit of the saved provider limits what only this target may cost.',
} as const;

/** Checks that limits of a whole request are at the root, because a target is only one part of what a request may try. */
export const requestBounds: Check = defineCheck({
  name: 'request-bounds',
  create: ({ reporter }) => ({
    node({ pointer, config }, parent) {
      if (parent === undefined) return;
      for (const [setting, suggestion] of Object.entries(settings))
        if (Object.hasOwn(config, setting))
          reporter.report(
            'setting-of-root',
            { pointer: childPointer(pointer, setting), part: 'key' },
            { setting, suggestion },
          );
    },
  }),
});
