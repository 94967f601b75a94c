import type { ErrorCode } from '../errors/errors.ts';
import type { Origin } from '../http/status.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { Lack } from '../model-facts/lack.ts';
import type { UsageRecord } from '../usage/usage-record.ts';
import type { CircuitName } from './circuit-name.ts';

/** The decisions and actions of one request, in order. Logs, metrics, headers and `gw explain` are views of it. */
export type TrailEvent =
  /** A load balance or a conditional chose a branch (its index in the plan). */
  | { readonly kind: 'chose'; readonly path: JsonPointer; readonly branch: number }
  /** A group skipped branches with open circuits. */
  | { readonly kind: 'skipped'; readonly path: JsonPointer; readonly branches: readonly number[] }
  /**
   * A group with `require` skipped branches that cannot serve the request. If no branch can, the group responds with that error.
   */
  | { readonly kind: 'unable'; readonly path: JsonPointer; readonly branches: readonly UnableBranch[] }
  /** One upstream attempt ended or, for a stream, began; `attempt` counts from 1 in its leaf. */
  | {
      readonly kind: 'attempted';
      readonly path: JsonPointer;
      readonly target: string;
      readonly attempt: number;
      readonly status: number;
      readonly origin: Origin;
      /** When it was sent and when its response began; only if something consumes usage. */
      readonly ms?: AttemptMs;
      /** The error with which the gateway responded instead of the provider; only if there is `ms`. */
      readonly cause?: ErrorCode;
      /** The index of the key that it was sent with, if its target has several. */
      readonly key?: number;
      /** How many requests it consisted of, if its provider limits how many texts one request may have. */
      readonly requests?: number;
      /** How many milliseconds it waited for a place at its target before it was sent; absent if it did not wait. */
      readonly queuedMs?: number;
    }
  /**
   * The usage of an attempt, reported at its end; for a stream, when the stream ends. Only if something consumes usage. Plugins
   * do not read it.
   */
  | {
      readonly kind: 'settled';
      readonly path: JsonPointer;
      readonly target: string;
      readonly attempt: number;
      readonly usage: UsageRecord;
      /** Why the choices of its response ended, in the provider's words, if that was read with the usage. */
      readonly finishReasons?: readonly string[];
      /** When it ended. */
      readonly ms?: { readonly end: number };
    }
  /** The leaf waits and sends the request again; `retry` counts from 1. */
  | { readonly kind: 'retried'; readonly path: JsonPointer; readonly retry: number; readonly waitMs: number }
  /** A fallback went on to its next available branch. */
  | {
      readonly kind: 'fellBack';
      readonly path: JsonPointer;
      readonly from: number;
      readonly to: number;
      readonly status: number;
    }
  /**
   * The first branch of a fallback had not responded after `afterMs` milliseconds, so the next one was called as well. Whichever
   * of the two attempts is cancelled has the status 499.
   */
  | {
      readonly kind: 'hedged';
      readonly path: JsonPointer;
      readonly from: number;
      readonly to: number;
      readonly afterMs: number;
    }
  /** How a hedge ended. One that the budget refused was never started. */
  | { readonly kind: 'hedgeEnded'; readonly path: JsonPointer; readonly result: HedgeResult }
  /**
   * A stored response was used, `ageS` seconds after it was stored: no attempt was made and no output check was run. `stale`:
   * attempts were made and failed, and it was used instead. `similarity`: how similar the question is to the one whose response
   * it is, from -1 to 1 (the cosine of their vectors); only if they were compared.
   */
  | {
      readonly kind: 'cached';
      readonly path: JsonPointer;
      readonly status: 'HIT' | 'SEMANTIC HIT';
      readonly ageS: number;
      readonly stale?: true;
      readonly similarity?: number;
    }
  /**
   * Responses to questions of the same form were stored, but no question was similar enough. `similarity` is that of the most
   * similar one, from -1 to 1 (the cosine of their vectors).
   */
  | { readonly kind: 'missed'; readonly path: JsonPointer; readonly similarity: number }
  /**
   * The checks of a node judged the request or its response. `erred`: at least one of them failed with an error instead of
   * judging, which counts as passed unless the check has `failOnError`.
   */
  | {
      readonly kind: 'checked';
      readonly path: JsonPointer;
      readonly phase: CheckPhase;
      readonly result: CheckResult;
      readonly erred?: true;
    }
  /** A circuit opened, closed or became half open. `of`: which of the leaf's circuits; absent if it has only one. */
  | {
      readonly kind: 'circuitChanged';
      readonly path: JsonPointer;
      readonly of?: CircuitName;
      readonly from: CircuitState;
      readonly to: CircuitState;
    }
  /** A copy of the request is sent to the target of a node's mirror once the response has ended. */
  | { readonly kind: 'mirrored'; readonly path: JsonPointer; readonly target: string }
  /** A stream failed after it had begun. The client got an error event, unless the stream continued elsewhere. */
  | { readonly kind: 'streamFailed'; readonly path: JsonPointer; readonly cause: string }
  /** A stream of the branch `from` failed for `cause` and continued at the branch `to`. The client got no error event. */
  | {
      readonly kind: 'continued';
      readonly path: JsonPointer;
      readonly from: number;
      readonly to: number;
      readonly cause: string;
    }
  /** A stream that failed was not continued, although its fallback allows that. `branch` is where it failed. */
  | {
      readonly kind: 'notContinued';
      readonly path: JsonPointer;
      readonly branch: number;
      readonly reason: WhyNotContinued;
    }
  /** The request's deadline, `ms` milliseconds after it was received, passed before the response was complete. */
  | { readonly kind: 'deadlinePassed'; readonly ms: number }
  /** The client disconnected before the response was complete. */
  | { readonly kind: 'clientLeft' };

/** A trail event of one kind. */
export type TrailEventOf<Kind extends TrailEvent['kind']> = Extract<TrailEvent, { readonly kind: Kind }>;

/**
 * The reasons why a stream was not continued. `not-listed`: the fallback does not go on after this failure; `no-branch`: no other
 * branch may be called; `refused`: the next branch did not respond with a stream; `checks`: checks may deny or change the
 * response; `several-answers`: the request asked for more than one answer; `schema`: the answer must follow a schema;
 * `tool-call`: a tool was being called; `reasoning`: it broke within the model's reasoning, or the reasoning is bound to its
 * provider; `refusal`: the model was refusing; `media`: there was more than text; `finished`: only the end was missing; `length`:
 * it had as many tokens as the request allows, and so ended normally; `too-long`: it was longer than what is kept for a
 * continuation; `unreadable`: the gateway cannot read the stream.
 */
export type WhyNotContinued =
  | 'not-listed'
  | 'no-branch'
  | 'refused'
  | 'checks'
  | 'several-answers'
  | 'schema'
  | 'tool-call'
  | 'reasoning'
  | 'refusal'
  | 'media'
  | 'finished'
  | 'length'
  | 'too-long'
  | 'unreadable';

/** A branch (its index in the plan), and what it lacks that the request needs. */
export interface UnableBranch {
  readonly branch: number;
  readonly lacks: readonly Lack[];
}

/** Milliseconds since the request began, with two decimals. `head` is absent if no response arrived. */
export interface AttemptMs {
  readonly sent: number;
  readonly head?: number;
}

/**
 * The result of a hedge. `won`: its response was used. `lost`: it was not. `refused`: the budget of the fallback was spent, or a
 * limit did not let it send anything.
 */
export type HedgeResult = 'won' | 'lost' | 'refused';

/** Whether a check judges requests or responses. */
export type CheckPhase = 'input' | 'output';
/** The result of one check in the trail. */
export type CheckResult = 'passed' | 'failed' | 'denied';
/** The state of a circuit breaker. */
export type CircuitState = 'closed' | 'open' | 'half-open';
