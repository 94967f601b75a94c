import type { CheckInput } from '../../../plugins/sdk/guardrail.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { CheckHook, Feedback } from '../../../schema/plan.ts';
import type { LinkContext } from '../context.ts';
import type { CheckOutcome, HookResult } from './hook-result.ts';
import { linkCheck, type UnreadableInput } from './link-check.ts';

/** Never rejects: an error of a check is part of its result. */
export type LinkedHook = (input: CheckInput | UnreadableInput) => Promise<HookResult>;

/** Whether a hook can deny a request or an answer. */
export const mayDeny = ({ deny }: Pick<CheckHook, 'deny'>): boolean => deny.onFail || deny.onSuccess;

const idsOf = (checks: readonly CheckOutcome[], which: (check: CheckOutcome) => boolean): string =>
  checks
    .filter(which)
    .map(({ id }) => id)
    .join(', ');

const feedbackOf = (feedback: Feedback | undefined, checks: readonly CheckOutcome[]): JsonObject | null => {
  if (feedback === undefined) return null;
  const { value, weight, metadata } = feedback;
  return {
    ...(value === undefined ? {} : { value }),
    ...(weight === undefined ? {} : { weight }),
    metadata: {
      ...metadata,
      successfulChecks: idsOf(checks, (check) => check.verdict && check.error === undefined),
      failedChecks: idsOf(checks, (check) => !check.verdict && check.error === undefined),
      erroredChecks: idsOf(checks, (check) => check.error !== undefined),
    },
  };
};

/** A hook's checks, run concurrently; the hook passes if all of them do. */
export const linkHook = (hook: CheckHook, context: LinkContext): LinkedHook => {
  const { id, type, deny, feedback } = hook;
  const { clock } = context.ports;
  const checks = hook.checks.map((call) => linkCheck(call, context));
  return async (input) => {
    const began = clock.monotonic();
    const outcomes = await Promise.all(checks.map((check) => check(input)));
    // A hook that may deny denies what it cannot read.
    const isDeniedUnread = 'unreadable' in input && mayDeny(hook);
    const verdict = !isDeniedUnread && outcomes.every((check) => check.verdict);
    return {
      verdict,
      id,
      transformed: false,
      checks: outcomes,
      feedback: feedbackOf(verdict ? feedback.onSuccess : feedback.onFail, outcomes),
      execution_time: Math.round(clock.monotonic() - began),
      async: hook.async,
      type,
      created_at: Math.floor(clock.wall() / 1000),
      deny: isDeniedUnread || (verdict ? deny.onSuccess : deny.onFail),
    };
  };
};
