import { type ErrorCode, errorTable } from '../../schema/errors/errors.ts';
import { checkFailedStatus, deniedStatus, isSuccess, type Outcome } from '../../schema/http/status.ts';
import { mustBufferStreams } from '../../schema/plan/may-ask-for-retry.ts';
import type { LeafNode } from '../../schema/plan/plan.ts';
import { defaultTimeoutMs } from '../../schema/plan/schedule.ts';
import { countUp, isDeadlinePassed, isEnded, type RequestRun, toTarget } from './run.ts';
import { type ChecksFound, runChecks } from './run-checks.ts';
import { withKeys } from './run-keys.ts';
import type { Reply } from './scenario.ts';
import { type Steps, waitUntil } from './steps.ts';

/** The result of one attempt. `stream`: a stream has begun, and ends after `restMs`, whole or broken. */
export interface AttemptAnswer extends Outcome {
  readonly cause?: ErrorCode;
  readonly headers?: Readonly<Record<string, string>>;
  readonly stream?: 'whole' | 'broken';
  readonly restMs?: number;
  /** Present if it concerns only the key of its call, because other keys of the target are able. */
  readonly isOfKey?: true;
}

/** One visit of a leaf by a request. */
export interface Visit {
  /** How many calls were made. */
  attempts: number;
  /** How many of them immediately followed another call, with another key. */
  otherKeys: number;
  /** Whether the additional attempt that output checks may request was made. */
  isRetriedForChecks: boolean;
}

/** An attempt's answer, and the verdict of its output checks; `undefined` if none judged it. */
interface Delivered {
  readonly answer: AttemptAnswer;
  readonly found?: ChecksFound;
}

const failed = (cause: ErrorCode): AttemptAnswer => ({ status: errorTable[cause].status, origin: 'network', cause });

/** No answer in time, because of the time-out of the attempt or the deadline of the request. */
const late = (cause: 'request-timeout' | 'deadline-exceeded'): AttemptAnswer => ({
  status: errorTable[cause].status,
  origin: 'timeout',
  cause,
});

/** The answer of an attempt that was cut because another branch had the answer. */
export const cutAnswer: AttemptAnswer = { status: 499, origin: 'gateway' };

const toAnswer = (reply: Exclude<Reply, { kind: 'hang' }>, streams: boolean): AttemptAnswer => {
  switch (reply.kind) {
    case 'answer': {
      const answer = { status: reply.status, origin: 'upstream', headers: reply.headers } as const;
      return streams && reply.status === 200 ? { ...answer, stream: 'whole', restMs: reply.restMs ?? 0 } : answer;
    }
    case 'network':
      return failed(reply.cause);
    case 'cut':
      if (!streams) return failed('connection-lost');
      return reply.content
        ? { status: 200, origin: 'upstream', stream: 'broken', restMs: reply.restMs ?? 0 }
        : failed('stream-cut');
  }
};

/**
 * Waits for the answer of an upstream. Returns that there is none if the time-out of the attempt or the deadline of the request
 * comes first.
 */
function* awaited(reply: Reply, timeoutMs: number, run: RequestRun): Steps<AttemptAnswer> {
  const { world, facts, deadlineAt } = run;
  const leftMs = deadlineAt - world.now;
  const maxMs = Math.min(timeoutMs, leftMs);
  const isLate = reply.kind === 'hang' || (reply.afterMs ?? 0) >= maxMs;
  yield* waitUntil(world.now + (isLate ? maxMs : (reply.afterMs ?? 0)), run);
  if (run.isCut) return cutAnswer;
  return isLate
    ? late(timeoutMs <= leftMs ? 'request-timeout' : 'deadline-exceeded')
    : toAnswer(reply, facts.params.stream === true);
}

/** Returns when a stream that begins now ends, or the deadline if that is earlier. */
export const endOfStream = ({ restMs = 0 }: AttemptAnswer, { world, deadlineAt }: RequestRun): number =>
  Math.min(world.now + restMs, deadlineAt);

function* held(leaf: LeafNode, answer: AttemptAnswer, run: RequestRun): Steps<AttemptAnswer> {
  if (answer.stream === undefined || !mustBufferStreams(leaf)) return answer;
  yield* waitUntil(endOfStream(answer, run), run);
  if (run.isCut) return cutAnswer;
  if (isDeadlinePassed(run)) return late('deadline-exceeded');
  return answer.stream === 'broken' ? failed('stream-cut') : { ...answer, restMs: 0 };
}

const marked = (answer: AttemptAnswer, { result }: ChecksFound): AttemptAnswer => {
  switch (result) {
    case 'denied':
      return { status: deniedStatus, origin: 'check', cause: 'checks-failed' };
    case 'failed':
      return answer.status === 200 ? { ...answer, status: checkFailedStatus } : answer;
    case 'passed':
      return answer;
  }
};

const outputChecked = (leaf: LeafNode, run: RequestRun, answer: AttemptAnswer): Delivered => {
  if (!isSuccess(answer.status) || answer.origin !== 'upstream') return { answer };
  // A stream that is not held is judged after its client has it.
  if (answer.stream !== undefined && !mustBufferStreams(leaf)) return { answer };
  const found = runChecks('output', leaf, run);
  return { answer: marked(answer, found), found };
};

/** Runs the output checks of a stream that was delivered completely and not judged before. */
export const deliver = (leaf: LeafNode, run: RequestRun): void => {
  if (!mustBufferStreams(leaf)) runChecks('output', leaf, run);
};

/** Makes one upstream call, with further calls for other keys of its target, and runs the output checks on its answer. */
function* callOnce(leaf: LeafNode, run: RequestRun, visit: Visit): Steps<Delivered> {
  const { world, calls, trail } = run;
  const called = toTarget(world, leaf);
  const { id: target, timeoutMs = defaultTimeoutMs } = called;
  const before = visit.attempts;
  const answer = yield* withKeys<AttemptAnswer>(called, run, function* (key) {
    visit.attempts += 1;
    const attempt = visit.attempts;
    calls.push({ target, path: leaf.path, attempt });
    const reply = world.scenario.upstream(target, countUp(world, 'call', target), key);
    const given = yield* held(leaf, yield* awaited(reply, timeoutMs, run), run);
    const { status, origin } = given;
    const event = { kind: 'attempted', path: leaf.path, target, attempt, status, origin } as const;
    trail.push(key === undefined ? event : { ...event, key });
    return given;
  });
  visit.otherKeys += visit.attempts - before - 1;
  return outputChecked(leaf, run, answer);
}

/**
 * Makes one upstream call, and a second one if the output checks request it, once per visit. The second answer counts if checks
 * judged it, or if the run has ended; otherwise the first counts.
 */
export function* runAttempt(leaf: LeafNode, run: RequestRun, visit: Visit): Steps<AttemptAnswer> {
  const first = yield* callOnce(leaf, run, visit);
  if (first.found?.asksRetry !== true || visit.isRetriedForChecks) return first.answer;
  visit.isRetriedForChecks = true;
  const second = yield* callOnce(leaf, run, visit);
  return second.found === undefined && !isEnded(run) ? first.answer : second.answer;
}
