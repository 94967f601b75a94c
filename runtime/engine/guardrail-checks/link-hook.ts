import type { CheckOutcome, HookResult } from '../../../plugins/sdk/hooks/hook-result.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { isSetToDeny } from '../../../schema/plan/may-deny.ts';
import type { CheckHook, Feedback } from '../../../schema/plan/plan.ts';
import { allMaybe, type MaybePromise, thenMaybe } from '../../async/maybe-promise.ts';
import type { LinkContext } from '../call/context.ts';
import { type AskedRetry, askedByAll } from '../guardrail-verdicts/asked-retry.ts';
import type { CheckedPart } from '../guardrail-verdicts/checked-part.ts';
import { type Changed, type Composed, composeChanges, inTurn } from '../guardrail-verdicts/compose-changes.ts';
import { hasErred } from './checked-event.ts';
import { type CheckJudgement, type LinkedCheck, linkCheck, type UnreadableInput } from './link-check.ts';
import type { Subject } from './subject.ts';

/** The results of a hook, and the changes of its checks. */
export interface HookJudgement {
  readonly result: HookResult;
  readonly changed?: Changed;
  /** Set if it failed and all of its failed checks request one more attempt. */
  readonly retry?: AskedRetry;
}

/** Never rejects: an error of a check is part of its result. */
export type LinkedHook = (subject: Subject, part: CheckedPart | UnreadableInput) => MaybePromise<HookJudgement>;

const toIds = (checks: readonly CheckOutcome[], which: (check: CheckOutcome) => boolean): string =>
  checks
    .filter(which)
    .map(({ id }) => id)
    .join(', ');

const toFeedback = (feedback: Feedback | undefined, checks: readonly CheckOutcome[]): JsonObject | null => {
  if (feedback === undefined) return null;
  const { value, weight, metadata } = feedback;
  return {
    ...(value === undefined ? {} : { value }),
    ...(weight === undefined ? {} : { weight }),
    metadata: {
      ...metadata,
      successfulChecks: toIds(checks, (check) => check.verdict && !hasErred(check)),
      failedChecks: toIds(checks, (check) => !check.verdict && !hasErred(check)),
      erroredChecks: toIds(checks, hasErred),
    },
  };
};

/** Joins a check's verdict on a text with its verdict on the text before another check changed it. */
const bothTimes = (first: CheckJudgement, second: CheckJudgement): CheckJudgement => ({
  ...second,
  ...(first.isUnchanged === true ? { isUnchanged: true } : {}),
  outcome: { ...second.outcome, verdict: first.outcome.verdict && second.outcome.verdict },
});

type Judgements = Composed<CheckJudgement>;

const hasFailed = ({ outcome }: CheckJudgement): boolean => !outcome.verdict;

/** Returns how the checks of a hook judge: each what those before it left, or all the same text. */
const judgeWith =
  ({ type, sequential }: CheckHook, checks: readonly LinkedCheck[]) =>
  (subject: Subject, part: CheckedPart): MaybePromise<Judgements> => {
    if (type === 'mutator' || sequential === true) {
      const judges = checks.map((check) => (current: CheckedPart) => check(subject, current));
      return inTurn(part, judges, sequential === true ? hasFailed : undefined);
    }
    return thenMaybe(allMaybe(checks.map((check) => check(subject, part))), (judged) => {
      const again = (index: number, current: CheckedPart): MaybePromise<CheckJudgement> => {
        const [first, check] = [judged[index], checks[index]];
        if (first === undefined || check === undefined) throw new RangeError(`The hook has no check ${index}.`);
        return thenMaybe(check(subject, current), (second) => bothTimes(first, second));
      };
      return composeChanges({ judged, base: part, phase: subject.phase, again });
    });
  };

const isUnchangeable = ({ isUnchanged }: CheckJudgement): boolean => isUnchanged === true;

/** Links a hook's checks. The hook passes if all of them do. */
export const linkHook = (hook: CheckHook, context: LinkContext): LinkedHook => {
  const { id, type, deny, feedback } = hook;
  const { clock } = context.ports;
  const checks = hook.checks.map((call) => linkCheck(call, type, context));
  const judge = judgeWith(hook, checks);

  const unread = (subject: Subject, part: UnreadableInput): MaybePromise<Judgements> =>
    thenMaybe(allMaybe(checks.map((check) => check(subject, part))), (judged) => ({ judged, changed: undefined }));

  const toJudgement = ({ judged, changed }: Judgements, began: number, isUnread: boolean): HookJudgement => {
    const outcomes = judged.map(({ outcome }) => outcome);
    // A hook that may deny also denies what it cannot read, and what cannot be changed as it requests.
    const isDeniedUnjudged = (isUnread || judged.some(isUnchangeable)) && isSetToDeny(hook);
    const verdict = !isDeniedUnjudged && outcomes.every((check) => check.verdict);
    const isSuccess = !isDeniedUnjudged && outcomes.every((check) => check.verdict || hasErred(check));
    const result: HookResult = {
      verdict,
      id,
      transformed: changed !== undefined,
      checks: outcomes,
      feedback: toFeedback(isSuccess ? feedback.onSuccess : feedback.onFail, outcomes),
      execution_time: Math.round(clock.monotonic() - began),
      async: hook.async,
      type,
      created_at: Math.floor(clock.wall() / 1000),
      deny: isDeniedUnjudged || (verdict ? deny.onSuccess : deny.onFail),
    };
    const retry = askedByAll(judged.filter(hasFailed));
    if (changed === undefined && retry === undefined) return { result };
    return { result, ...(changed === undefined ? {} : { changed }), ...(retry === undefined ? {} : { retry }) };
  };

  return (subject, part) => {
    const began = clock.monotonic();
    const isUnread = 'unreadable' in part;
    const judged = isUnread ? unread(subject, part) : judge(subject, part);
    return thenMaybe(judged, (found) => toJudgement(found, began, isUnread));
  };
};
