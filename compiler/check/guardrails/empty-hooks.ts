import { closest } from '../../diagnostics/closest.ts';
import type { IrHook } from '../../resolve/tree/ir-hook.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const toHint = ({ id, savedAs }: IrHook, near: string | undefined): string => {
  if (savedAs !== undefined) return 'Add a check to it where it is saved.';
  if (near === undefined) return 'Add a check, or name a saved guardrail.';
  return near === id ? 'Remove "checks" to use the saved guardrail of this name.' : `Did you mean "${near}"?`;
};

/** Checks that a hook or guardrail has something to check. */
export const emptyHooks: Check = defineCheck({
  name: 'empty-hooks',
  create: ({ reporter, sound, saved, trust }) => ({
    hook(hook) {
      const { id, pointer, checks } = hook;
      if (checks.length > 0 || !sound.isFullyUsable(pointer)) return;
      const near = trust === 'caller' ? undefined : closest(id, Object.keys(saved.guardrails));
      reporter.report(
        'no-effect',
        { pointer, part: 'value' },
        {
          setting: id,
          why: 'it has no checks',
          suggestion: toHint(hook, near),
        },
      );
    },
  }),
});
