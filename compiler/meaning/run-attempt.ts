import { type ErrorCode, errorTable } from '../../schema/errors.ts';
import type { LeafNode } from '../../schema/plan.ts';
import { retriesAnswers } from '../../schema/retries-answers.ts';
import { defaultTimeoutMs } from '../../schema/schedule.ts';
import { stageOf } from '../../schema/stage-of.ts';
import { checkFailedStatus, deniedStatus, isSuccess, type Outcome } from '../../schema/status.ts';
import { countUp, type RequestRun, targetOf } from './run.ts';
import { runChecks } from './run-checks.ts';
import type { Reply } from './scenario.ts';

/** What one attempt gives. `stream`: a stream has begun, and will end whole or broken. */
export interface AttemptAnswer extends Outcome {
  readonly cause?: ErrorCode;
  readonly headers?: Readonly<Record<string, string>>;
  readonly stream?: 'whole' | 'broken';
}

const failed = (cause: ErrorCode): AttemptAnswer => ({ status: errorTable[cause].status, origin: 'network', cause });

const toAnswer = (reply: Reply, streams: boolean): AttemptAnswer => {
  switch (reply.kind) {
    case 'answer': {
      const answer = { status: reply.status, origin: 'upstream', headers: reply.headers } as const;
      return streams && reply.status === 200 ? { ...answer, stream: 'whole' } : answer;
    }
    case 'network':
      return failed(reply.cause);
    case 'hang':
      return { status: errorTable['request-timeout'].status, origin: 'timeout', cause: 'request-timeout' };
    case 'cut':
      if (!streams) return failed('connection-lost');
      return reply.content ? { status: 200, origin: 'upstream', stream: 'broken' } : failed('stream-cut');
  }
};

/** Whether the leaf holds a stream back until it is judged: of such a one that breaks, nothing has been sent. */
const holdsStreams = (leaf: LeafNode): boolean => {
  const hooks = stageOf(leaf, 'output-checks')?.hooks ?? [];
  return (
    retriesAnswers(hooks) ||
    hooks.some(({ async, type, deny }) => !async && (type === 'mutator' || deny.onFail || deny.onSuccess))
  );
};

const held = (leaf: LeafNode, answer: AttemptAnswer): AttemptAnswer =>
  answer.stream === 'broken' && holdsStreams(leaf) ? failed('stream-cut') : answer;

const outputChecked = (leaf: LeafNode, run: RequestRun, answer: AttemptAnswer): AttemptAnswer => {
  if (!isSuccess(answer.status) || answer.origin !== 'upstream') return answer;
  // A stream that is not held is judged when its client has it.
  if (answer.stream !== undefined && !holdsStreams(leaf)) return answer;
  switch (runChecks('output', leaf, run)) {
    case 'denied':
      return { status: deniedStatus, origin: 'check', cause: 'checks-failed' };
    case 'failed':
      return answer.status === 200 ? { ...answer, status: checkFailedStatus } : answer;
    case 'passed':
      return answer;
  }
};

/** The output checks of a stream that has been delivered whole, and that was not judged before. */
export const judgeDelivered = (leaf: LeafNode, run: RequestRun): void => {
  if (!holdsStreams(leaf)) runChecks('output', leaf, run);
};

/**
 * One upstream call and the output checks of its answer; `attempt` counts from 1. The one more call that a check may ask
 * for is in the bounds alone: a scenario's verdicts do not say what a check asks for.
 */
export const runAttempt = (leaf: LeafNode, run: RequestRun, attempt: number): AttemptAnswer => {
  const { world, facts, calls, trail } = run;
  const { id: target, timeoutMs = defaultTimeoutMs } = targetOf(world, leaf);
  calls.push({ target, path: leaf.path, attempt });
  const reply = world.scenario.upstream(target, countUp(world, 'call', target));
  if (reply.kind === 'hang') world.now += timeoutMs;
  const answer = held(leaf, toAnswer(reply, facts.params.stream === true));
  const { status, origin } = answer;
  trail.push({ kind: 'attempted', path: leaf.path, target, attempt, status, origin });
  return outputChecked(leaf, run, answer);
};
