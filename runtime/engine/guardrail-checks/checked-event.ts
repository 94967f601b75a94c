import type { CheckOutcome, HookResult } from '../../../plugins/sdk/hooks/hook-result.ts';
import type { TrailEventOf } from '../../../schema/trail/trail.ts';

/** Whether a check failed to judge: it threw, its service did not answer, or it could not read its input. */
export const hasErred = ({ error }: CheckOutcome): boolean => error !== undefined;

/** Whether a check of a hook failed to judge. */
export const hasHookErred = ({ checks }: HookResult): boolean => checks.some(hasErred);

/**
 * Returns the trail event for what the hooks of a phase found. A check that errs lets the part pass by default, which is not
 * reported as its verdict.
 */
export const checkedEvent = (
  { path, phase, result }: Pick<TrailEventOf<'checked'>, 'path' | 'phase' | 'result'>,
  results: readonly HookResult[],
): TrailEventOf<'checked'> => ({
  kind: 'checked',
  path,
  phase,
  result,
  ...(results.some(hasHookErred) ? { erred: true } : {}),
});
