import { errorTable } from '../../schema/errors/errors.ts';
import { checkFailedStatus, deniedStatus, statusMatcher } from '../../schema/http/status.ts';
import {
  admit,
  type Circuit,
  type CircuitOutcome,
  type CircuitSettings,
  settle,
} from '../../schema/plan/circuits/circuit.ts';
import { circuitOutcome, circuitSettings } from '../../schema/plan/circuits/circuit-names.ts';
import { mustBufferStreams } from '../../schema/plan/may-ask-for-retry.ts';
import type { BreakerStage, LeafNode } from '../../schema/plan/plan.ts';
import { retryAfterMs } from '../../schema/plan/schedule.ts';
import { findStage } from '../../schema/plan/stages.ts';
import type { MeantCircuit } from './circuits.ts';
import { passTime, watchCircuit } from './probing.ts';
import { isDeadlinePassed, metCircuits, type RequestRun, type Response, toCircuit } from './run.ts';
import { deliver, endOfStream } from './run-attempt.ts';
import { type AttemptAnswer, runAttempts } from './run-attempts.ts';
import { runChecks } from './run-checks.ts';
import { scenarioEpochMs } from './scenario.ts';
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

/** Whether an answer reveals nothing about the upstream, such as a denial or any other answer of the gateway itself. */
const isNeutral = ({ origin, cause, isOfKey }: Answered): boolean =>
  (origin !== 'upstream' && origin !== 'network' && origin !== 'timeout') ||
  cause === 'pool-full' ||
  cause === 'deadline-exceeded' ||
  isOfKey === true;

interface Judged {
  readonly outcome: CircuitOutcome;
  readonly settings: CircuitSettings;
}

/** Returns the outcome of an answer for one of the leaf's circuits. */
const judge = (breaker: BreakerStage, answered: Answered, { of }: MeantCircuit, now: number): Judged => {
  if (isNeutral(answered)) return { outcome: 'neutral', settings: breaker };
  const { status, origin, stream, headers = {} } = answered;
  const failed = stream === 'broken' || statusMatcher(breaker.failures)({ status, origin });
  if (of === undefined) return { outcome: failed ? 'failure' : 'success', settings: breaker };
  const askedMs = retryAfterMs((name) => headers[name], scenarioEpochMs + now);
  return {
    outcome: circuitOutcome(of, breaker.by ?? [], { failed, status, origin }),
    settings: circuitSettings(of, breaker, askedMs),
  };
};

interface Admitted {
  readonly circuit: MeantCircuit;
  readonly probe: boolean;
}

const admitLeaf = (leaf: LeafNode, breaker: BreakerStage, run: RequestRun): readonly Admitted[] =>
  metCircuits(leaf, run).map((circuit) => {
    const { met } = run.world;
    met.set(leaf.hash, (met.get(leaf.hash) ?? new Map()).set(circuit.key, circuit));
    const admission = admit(toCircuit(run.world, circuit), run.world.now, breaker);
    setCircuit(leaf, run, { circuit, after: admission.circuit });
    return { circuit, probe: admission.probe };
  });

const setCircuit = (
  leaf: LeafNode,
  { world, trail }: RequestRun,
  { circuit, after }: { readonly circuit: MeantCircuit; readonly after: Circuit },
): void => {
  const { path } = leaf;
  const { state: from } = toCircuit(world, circuit);
  world.circuits.set(circuit.key, after);
  const { of } = circuit;
  const named = of === undefined ? {} : { of };
  if (from === after.state) return;
  trail.push({ kind: 'circuitChanged', path, ...named, from, to: after.state });
  if (after.state === 'open') watchCircuit(circuit, leaf, world);
};

const cannotContinue = ({ path }: LeafNode): Response => ({
  status: errorTable['cannot-continue'].status,
  origin: 'gateway',
  path,
  retries: 0,
  cannotContinue: true,
  deliver: () => undefined,
  discard: () => {},
});

/**
 * Runs one visit of a leaf, from the outside in. A leaf that holds streams until they are judged does nothing if it is to
 * continue a stream.
 * 1. breaker: `admit` of each circuit that the request meets (`listCircuits`), in order. Event `circuitChanged` if the name of
 *    the state changes.
 * 2. input checks: event `checked`, only if a hook is not `async`. Denied: 446 (origin `check`), no upstream call.
 * 3. the attempts (`runAttempts`).
 * 4. failed input checks turn a 200 of the upstream into 246, which keeps its origin.
 * 5. breaker: `settle` of each of these circuits by the outcome of the answer for it (`circuitOutcome`), event `circuitChanged`
 *    if the name of the state changes. The outcome is neutral if the answer's origin is not upstream, network or time-out, if its
 *    cause is `pool-full` or the deadline, or if it concerns a key while other keys are able. An answer in bytes is settled
 *    before the leaf returns it. A stream is settled at its end: a failed stream is a failure whatever its status (event
 *    `streamFailed` before it); a stream that a fallback passes over is discarded, which is neutral and leaves no event.
 */
export function* runLeaf(leaf: LeafNode, run: RequestRun): Steps<Response> {
  if (run.continuesStream === true && mustBufferStreams(leaf)) return cannotContinue(leaf);
  const breaker = findStage(leaf, 'breaker');
  const admitted = breaker === undefined ? [] : admitLeaf(leaf, breaker, run);
  const probes = admitted.filter(({ probe }) => probe).length;
  run.hedging.probes += probes;
  const answered = yield* runInside(leaf, run);
  const end = (how: 'answered' | 'neutral'): void => {
    if (breaker === undefined) return;
    const { world } = run;
    run.hedging.probes -= probes;
    for (const { circuit, probe } of admitted) {
      const judged = judge(breaker, answered, circuit, world.now);
      const { outcome, settings } = how === 'neutral' ? { outcome: how, settings: breaker } : judged;
      const { threshold, cooldownMs } = settings;
      const after = settle(toCircuit(world, circuit), world.now, { threshold, cooldownMs, outcome, probe });
      setCircuit(leaf, run, { circuit, after });
    }
  };
  if (answered.stream === undefined) end('answered');
  return {
    status: answered.status,
    origin: answered.origin,
    path: leaf.path,
    retries: answered.retries,
    ...(answered.stream === undefined ? {} : { isStream: true }),
    deliver: () => {
      if (answered.stream === undefined) return undefined;
      passTime(run.world, endOfStream(answered, run));
      const cut = isDeadlinePassed(run);
      const cause = cut ? 'deadline-exceeded' : 'stream-cut';
      if (cut || answered.stream === 'broken') run.trail.push({ kind: 'streamFailed', path: leaf.path, cause });
      else deliver(leaf, run);
      end(cut ? 'neutral' : 'answered');
      return answered.stream === 'broken' && !cut ? 'broken' : undefined;
    },
    discard: () => {
      if (answered.stream !== undefined) end('neutral');
    },
  };
}
