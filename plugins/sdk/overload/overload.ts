import type { GatewayError } from '../../../schema/errors/errors.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Cancellation } from '../http/http.ts';

/**
 * How an attempt ended for its target. `served`: it answered with a success. `dropped`: it had too much to do, or was not
 * reached in time: a time-out, a refusal by 503 or 529, a connection that was refused or lost. `failed`: any other status of 500 or
 * above. `neutral`: nothing can be said, as where the client left.
 */
export type PlaceOutcome = 'served' | 'dropped' | 'failed' | 'neutral';

/** The first content of an attempt, or what came in place of it. */
export interface PlaceAnswer {
  readonly outcome: PlaceOutcome;
  /** Milliseconds from when the place was given until the first content of a stream, or until a whole answer. */
  readonly ms: number;
  /** Names the attempts whose times it is compared with: those of one model and of one way to answer take similar times. */
  readonly kind: string;
}

/** The place of an attempt at its target, which holds it until its answer has ended. */
export interface TargetPlace {
  /** How long it has waited for the place, in milliseconds. */
  readonly waitedMs: number;
  /** Called once, with the first content. */
  answered(answer: PlaceAnswer): void;
  /** Gives the place back; without effect if it was given back. */
  end(): void;
}

/** An attempt that asks for a place at its target. */
export interface PlaceRequest {
  /** Names where its connections go and whose account it uses: attempts with the same name share a limit. */
  readonly account: string;
  /** The id of the target, for labels. */
  readonly target: string;
  readonly path: JsonPointer;
  /** Counts from 1 in its leaf. */
  readonly attempt: number;
  readonly exchange: Exchange;
  /** The bytes of the request in memory. */
  readonly bytes: number;
  /** The longest that it may wait, in milliseconds: until its deadline, or its time-out. */
  readonly maxWaitMs: number;
  readonly cancellation: Cancellation;
  /** Whether a circuit of its leaf is not closed. Asked only where there is no place at once. */
  readonly isCircuitOpen: () => boolean;
}

/** Keeps a process and its targets from more than they can do. */
export interface Overload {
  /**
   * Asked once the caller of a request is known, and before its body is read. Calls back once, now or in a later turn of the event
   * loop: with none when the request is to be begun, or with why it is not served at the moment.
   */
  admit(exchange: Exchange, done: (refused?: GatewayError) => void): void;
  /** Gives a place at a target, now or later. Throws, or rejects with, the `GatewayError` `target-overloaded`. */
  enter(request: PlaceRequest): TargetPlace | Promise<TargetPlace>;
  /** Whether there is more to do than can be done at once: then nothing is sent that no client waits for. */
  isBusy(): boolean;
}
