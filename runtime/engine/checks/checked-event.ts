import type { CheckOutcome, HookResult } from '../../../plugins/sdk/hooks/hook-result.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';

/** Says whether a check failed to judge: it threw, its service did not answer, or it could not read what it was given. */
export const hasErred = ({ error }: CheckOutcome): boolean => error !== undefined;

/** Says whether a check of a hook failed to judge. */
export const hasHookErred = ({ checks }: HookResult): boolean => checks.some(hasErred);

type Checked = Extract<TrailEvent, { kind: 'checked' }>;

/** The event of a trail for what the hooks of a phase found. A check that errs lets pass by default, which is not taken for its verdict. */
export const checkedEvent = (
  { path, phase, result }: Pick<Checked, 'path' | 'phase' | 'result'>,
  results: readonly HookResult[],
): Checked => ({ kind: 'checked', path, phase, result, ...(results.some(hasHookErred) ? { erred: true } : {}) });
