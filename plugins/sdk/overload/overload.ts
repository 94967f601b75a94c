import type { GatewayError } from '../../../schema/errors/errors.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Cancellation } from '../http/http.ts';

/**
 * How an attempt ended for its target. `served`: success. `dropped`: the target was overloaded or not reached in time, that is, a
 * time-out, a status of 503 or 529, or a connection that was refused or lost. `failed`: any other status of 500 or above.
 * `neutral`: nothing is known, for example because the client disconnected.
 */
export type PlaceOutcome = 'served' | 'dropped' | 'failed' | 'neutral';

/** The first content of an attempt, or the failure in its place. */
export interface PlaceAnswer {
  readonly outcome: PlaceOutcome;
  /** Milliseconds from when the place was granted until the first content of a stream, or until a whole answer. */
  readonly ms: number;
  /** Groups attempts whose times can be compared: those with the same model and the same way to answer take similar times. */
  readonly kind: string;
}

/** The place that an attempt holds at its target until its answer has ended. */
export interface TargetPlace {
  /** How long the attempt waited for the place, in milliseconds. */
  readonly waitedMs: number;
  /** Called once, when the first content arrives. */
  answered(answer: PlaceAnswer): void;
  /** Gives the place back. Has no effect if it was already given back. */
  end(): void;
}

/** An attempt that requests a place at its target. */
export interface PlaceRequest {
  /** Identifies the destination of its connections and the account that it uses. Attempts with the same value share a limit. */
  readonly account: string;
  /** The id of the target, for metric labels. */
  readonly target: string;
  readonly path: JsonPointer;
  /** The number of the attempt in its leaf, starting at 1. */
  readonly attempt: number;
  readonly exchange: Exchange;
  /** The size of the request in memory, in bytes. */
  readonly bytes: number;
  /** The maximum time that it may wait, in milliseconds: until its deadline or its time-out. */
  readonly maxWaitMs: number;
  readonly cancellation: Cancellation;
  /** Whether a circuit of its leaf is open or half open. Called only if no place is available immediately. */
  readonly isCircuitOpen: () => boolean;
}

/** Protects a process and its targets from overload. */
export interface Overload {
  /**
   * Called once the caller of a request is known, before its body is read. Calls `done` once, now or in a later turn of the event
   * loop: without an argument when the request can start, or with the error if it is not served at the moment.
   */
  admit(exchange: Exchange, done: (refused?: GatewayError) => void): void;
  /** Grants a place at a target, now or later. Throws, or rejects with, the `GatewayError` `target-overloaded`. */
  enter(request: PlaceRequest): TargetPlace | Promise<TargetPlace>;
  /** Whether there is more work than can be done at once. If so, nothing is sent that no client waits for. */
  isBusy(): boolean;
}

/** The status of a target with a limit: how many attempts may be open, are open, and wait. */
export interface TargetStatus {
  readonly plan: string;
  readonly target: string;
  readonly limit: number;
  readonly open: number;
  readonly waiting: number;
  /** How many attempts have waited and got a place, and for how long in total. */
  readonly waited: number;
  readonly waitedMs: number;
}

/** The status of a gateway's overload protection. */
export interface OverloadStatus {
  /** The fraction of requests of all priorities that is admitted, from 0 to 1. */
  readonly admitted: number;
  readonly targets: readonly TargetStatus[];
}
