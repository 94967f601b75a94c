import { checkFailedStatus, deniedStatus } from '../../schema/http/status.ts';
import type { LeafNode, RetryStage } from '../../schema/plan/plan.ts';
import { backoff, maxRetryWaitMs, retryAfterMs, type WaitInterval } from '../../schema/plan/schedule.ts';
import { findStage } from '../../schema/plan/stages.ts';
import { isEnded, type RequestRun } from './run.ts';
import { type AttemptAnswer, cutAnswer, runAttempt, type Visit } from './run-attempt.ts';
import { scenarioEpochMs } from './scenario.ts';
import { type Steps, waitUntil } from './steps.ts';

export type { AttemptAnswer } from './run-attempt.ts';

const isRetriable = ({ on }: RetryStage, { status, origin }: AttemptAnswer): boolean =>
  origin === 'network' || on.includes(status);

/** Returns the wait before a retry: none after a check's verdict, what the provider requests, or that of the schedule. */
const waitInterval = (
  { useRetryAfter }: RetryStage,
  { status, headers = {} }: AttemptAnswer,
  { retry, now }: { readonly retry: number; readonly now: number },
): WaitInterval => {
  if (status === deniedStatus || status === checkFailedStatus) return { from: 0, to: 0 };
  const asked = useRetryAfter ? retryAfterMs((name) => headers[name], scenarioEpochMs + now) : undefined;
  return asked === undefined ? backoff(retry) : { from: asked, to: asked };
};

/** Draws one of an interval's ends, each with probability 1/2. */
const drawnWait = ({ from, to }: WaitInterval, { world }: RequestRun): number =>
  from === to ? from : ([from, to][world.choose([1, 1])] ?? from);

/**
 * Runs a leaf's attempts; `retries` is the value of the answer header. For each attempt: the call; event `attempted` with the
 * status and origin before output checks; output checks if the upstream answered 2xx (event `checked`, only if a hook is not
 * `async`; denied is 446 with origin `check`, a failed 200 is 246 with origin `upstream`). If a hook may deny, a stream is held
 * and judged in the same way, so a stream that breaks is a network failure. With other hooks it is judged after it was delivered
 * completely, and keeps its status. A stream is also held if a check may request an additional attempt. That attempt is made if
 * all hooks that failed or denied request it, once per visit, immediately and without an event of its own: the call, `attempted`,
 * and `checked` if there is something to judge. If there is, its answer counts; otherwise the first counts. If the answer is then
 * to be retried: event `retried` with the wait, and the wait.
 *
 * Listed statuses and all answers with origin `network` are retried. The wait before retry n is 0 after status 246 or 446;
 * otherwise what the provider requests if the stage respects it; otherwise `backoff(n)`. A wait that brings the leaf's sum above
 * a minute, or to the deadline, is not started: the answer is returned with retries -1, as it is when no retry is left. Nothing
 * is retried after the run has ended.
 */
export function* runAttempts(leaf: LeafNode, run: RequestRun): Steps<AttemptAnswer & { readonly retries: number }> {
  const retry = findStage(leaf, 'retry');
  const visit: Visit = { attempts: 0, otherKeys: 0, isRetriedForChecks: false };
  let waited = 0;
  for (let retries = 0; ; retries += 1) {
    const answer = yield* runAttempt(leaf, run, visit);
    if (retry === undefined || !isRetriable(retry, answer) || isEnded(run))
      return { ...answer, retries: visit.attempts - visit.otherKeys - 1 };
    if (retries === retry.attempts) return { ...answer, retries: -1 };
    const interval = waitInterval(retry, answer, { retry: retries + 1, now: run.world.now });
    const ms = drawnWait(interval, run);
    waited += ms;
    if (waited > maxRetryWaitMs || run.world.now + ms >= run.deadlineAt) return { ...answer, retries: -1 };
    run.waits.push({ ...interval, ms });
    run.trail.push({ kind: 'retried', path: leaf.path, retry: retries + 1, waitMs: ms });
    yield* waitUntil(run.world.now + ms, run);
    if (run.isCut) return { ...cutAnswer, retries: retries + 1 };
  }
}
