import type { Origin } from '../../schema/http/status.ts';
import type { JsonPointer } from '../../schema/json/pointer.ts';
import type { Circuit } from '../../schema/plan/circuits/circuit.ts';
import type { WaitInterval } from '../../schema/plan/schedule.ts';
import type { CircuitName } from '../../schema/trail/circuit-name.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';

/** Every outcome that a scenario can have, sorted by their canonical JSON; no two are the same. */
export type Meaning = readonly WeightedOutcome[];

export interface WeightedOutcome {
  /** Above 0 and exact, in lowest terms: `1/1`, `2/3`. */
  readonly probability: string;
  readonly outcome: ScenarioOutcome;
}

export interface ScenarioOutcome {
  readonly requests: readonly RequestOutcome[];
  /**
   * The circuits at the end that requests met at a leaf that some trail names, by the leaf's path, in the order in which they
   * were first met.
   */
  readonly circuits: readonly CircuitAfter[];
}

export interface RequestOutcome {
  /** Upstream calls in order. */
  readonly calls: readonly OutcomeCall[];
  /** Waits before retries, in order. */
  readonly waits: readonly OutcomeWait[];
  readonly answer: OutcomeAnswer;
  /** Milliseconds until the answer began. */
  readonly tookMs: number;
  readonly trail: readonly TrailEvent[];
  /** The copies that were sent, in order; absent if none was. */
  readonly mirrors?: readonly OutcomeMirror[];
}

/** A copy of a request, and its answer. */
export interface OutcomeMirror {
  /** The node at which the request was copied. */
  readonly path: JsonPointer;
  readonly target: string;
  readonly status: number;
  readonly origin: Origin;
}

/** A call. `attempt` counts from 1 within its leaf. */
export interface OutcomeCall {
  readonly target: string;
  readonly path: JsonPointer;
  readonly attempt: number;
}

/** The interval that a wait is drawn from, and the end that was drawn. If a wait is not drawn, both ends are equal. */
export interface OutcomeWait extends WaitInterval {
  readonly ms: number;
}

export interface OutcomeAnswer {
  readonly status: number;
  readonly origin: Origin;
  /** The leaf that answered, or the group that refused. */
  readonly path: JsonPointer;
  /** 0: none; n: after n retries; -1: the retries are used up, or the wait was too long. */
  readonly retries: number;
}

/** The state of a circuit. Times count from the beginning of the scenario. */
export interface CircuitAfter {
  readonly path: JsonPointer;
  /** Its name among the leaf's circuits; absent if the leaf has only one. */
  readonly of?: CircuitName;
  readonly circuit: Circuit;
}
