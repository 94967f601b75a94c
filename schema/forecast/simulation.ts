import type { Target } from '../plan/plan.ts';
import type { RequestScript, UpstreamStep } from '../trail/request-script.ts';

/** A request of simulated traffic. Its script has no upstreams. */
export interface SimulatedRequest {
  /** When it is sent, in milliseconds from the beginning. */
  readonly atMs: number;
  readonly script: RequestScript;
  /** The number of its kind, by which its response is counted. */
  readonly kind: number;
}

/** How a target responds to a call: after a time, or not at all. */
export interface SimulatedReply {
  readonly step: UpstreamStep;
  readonly afterMs: number;
}

/** An attempt of a simulated request. */
export interface SimulatedCall {
  readonly target: string;
  readonly status: number;
  readonly isFailed: boolean;
}

/** The response to a simulated request. */
export interface SimulatedAnswer {
  readonly atMs: number;
  readonly kind: number;
  readonly status: number;
  /** Milliseconds until it was complete. */
  readonly ms: number;
  readonly calls: readonly SimulatedCall[];
}

/** Traffic, and how targets respond to it. */
export interface Simulation {
  /** In the order of their times. */
  readonly requests: Iterable<SimulatedRequest>;
  reply(target: Target, atMs: number): SimulatedReply;
  /** Called for each response, in the order in which they are complete. */
  answered(answer: SimulatedAnswer): void;
}
