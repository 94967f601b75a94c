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
  /** The circuits at the end that were met at a leaf which some trail names, by its path, in the order in which they were first met. */
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

/** A copy of a request, and how it was answered. */
export interface OutcomeMirror {
  /** The node that it is a copy at. */
  readonly path: JsonPointer;
  readonly target: string;
  readonly status: number;
  readonly origin: Origin;
}

/** `attempt` counts from 1 in its leaf. */
export interface OutcomeCall {
  readonly target: string;
  readonly path: JsonPointer;
  readonly attempt: number;
}

/** The interval a wait is drawn from, and the end that was drawn; a wait that nothing draws has two equal ends. */
export interface OutcomeWait extends WaitInterval {
  readonly ms: number;
}

export interface OutcomeAnswer {
  readonly status: number;
  readonly origin: Origin;
  /** The leaf that answered, or the group that refused. */
  readonly path: JsonPointer;
  /** 0: none; n: after n retries; -1: retries used up, or the wait was too long. */
  readonly retries: number;
}

/** Instants count from the scenario's beginning. */
export interface CircuitAfter {
  readonly path: JsonPointer;
  /** Its name among the leaf's circuits; absent where the leaf has one. */
  readonly of?: CircuitName;
  readonly circuit: Circuit;
}
