import { checkFailedStatus, deniedStatus, statusMatcher } from '../../schema/http/status.ts';
import { admit, type CircuitOutcome, settle } from '../../schema/plan/circuit.ts';
import { findStage } from '../../schema/plan/find-stage.ts';
import type { BreakerStage, LeafNode } from '../../schema/plan/plan.ts';
import { isPast, type RequestRun, type Response, toCircuit } from './run.ts';
import { deliver, endOfStream } from './run-attempt.ts';
import { type AttemptAnswer, runAttempts } from './run-attempts.ts';
import { runChecks } from './run-checks.ts';
import type { Steps } from './steps.ts';

/** The result of the leaf's stages inside the breaker. */
interface Answered extends AttemptAnswer {
  readonly retries: number;
}

const denied: Answered = { status: deniedStatus, origin: 'check', retries: 0 };

function* runInside(leaf: LeafNode, run: RequestRun): Steps<Answered> {
  const { result: verdict } = runChecks('input', leaf, run);
  if (verdict === 'denied') return denied;
  const answer = yield* runAttempts(leaf, run);
  return verdict === 'failed' && answer.status === 200 && answer.origin === 'upstream'
    ? { ...answer, status: checkFailedStatus }
    : answer;
}

/** A denial, and whatever else the gateway answered by itself, says nothing about the upstream. */
const circuitOutcome = (breaker: BreakerStage, { status, origin, cause, stream }: Answered): CircuitOutcome => {
  if (origin !== 'upstream' && origin !== 'network' && origin !== 'timeout') return 'neutral';
  if (cause === 'pool-full' || cause === 'deadline-exceeded') return 'neutral';
  return stream === 'broken' || statusMatcher(breaker.failures)({ status, origin }) ? 'failure' : 'success';
};

const admitLeaf = (leaf: LeafNode, breaker: BreakerStage, run: RequestRun): boolean => {
  const before = toCircuit(run.world, leaf);
  const { circuit, probe } = admit(before, run.world.now, breaker);
  setCircuit(leaf, run, { before, after: circuit });
  return probe;
};

const setCircuit = (
  leaf: LeafNode,
  { world, trail }: RequestRun,
  { before, after }: { before: ReturnType<typeof toCircuit>; after: ReturnType<typeof toCircuit> },
): void => {
  world.circuits.set(leaf.hash, after);
  if (before.state !== after.state)
    trail.push({ kind: 'circuitChanged', path: leaf.path, from: before.state, to: after.state });
};

/**
 * One visit of a leaf, outside in:
 * 1. breaker: `admit`. Event `circuitChanged` where the state's name changes.
 * 2. input checks: event `checked`, only where a hook is not `async`. Denied: 446 (origin `check`), no upstream call.
 * 3. the attempts (`runAttempts`).
 * 4. failed input checks turn a 200 of the upstream into 246, which keeps its origin.
 * 5. breaker: `settle`, event `circuitChanged` where the state's name changes. Neutral where the answer's origin is
 *    not upstream, network or time-out, or its cause is `pool-full` or the deadline. An answer in bytes is settled before the leaf
 *    returns it. A stream is settled at its end: a failed one is a failure whatever its status (event `streamFailed`
 *    before), one that a fallback passes over is discarded, which is neutral and leaves no event.
 */
export function* runLeaf(leaf: LeafNode, run: RequestRun): Steps<Response> {
  const breaker = findStage(leaf, 'breaker');
  const probe = breaker !== undefined && admitLeaf(leaf, breaker, run);
  if (probe) run.hedging.probes += 1;
  const answered = yield* runInside(leaf, run);
  const end = (outcome: CircuitOutcome): void => {
    if (breaker === undefined) return;
    if (probe) run.hedging.probes -= 1;
    const before = toCircuit(run.world, leaf);
    const after = settle(before, run.world.now, { ...breaker, outcome, probe });
    setCircuit(leaf, run, { before, after });
  };
  const circuitResult = breaker === undefined ? 'neutral' : circuitOutcome(breaker, answered);
  if (answered.stream === undefined) end(circuitResult);
  return {
    status: answered.status,
    origin: answered.origin,
    path: leaf.path,
    retries: answered.retries,
    deliver: () => {
      if (answered.stream === undefined) return;
      run.world.now = endOfStream(answered, run);
      const cut = isPast(run);
      const cause = cut ? 'deadline-exceeded' : 'stream-cut';
      if (cut || answered.stream === 'broken') run.trail.push({ kind: 'streamFailed', path: leaf.path, cause });
      else deliver(leaf, run);
      end(cut ? 'neutral' : circuitResult);
    },
    discard: () => {
      if (answered.stream !== undefined) end('neutral');
    },
  };
}
