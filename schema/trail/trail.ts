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
  /** A group skipped branches whose circuits are open. */
  | { readonly kind: 'skipped'; readonly path: JsonPointer; readonly branches: readonly number[] }
  /** A group that requires it left out branches that are not able to serve the request. Where each is unable, that is its answer. */
  | { readonly kind: 'unable'; readonly path: JsonPointer; readonly branches: readonly UnableBranch[] }
  /** One upstream attempt ended or, for a stream, began; `attempt` counts from 1 in its leaf. */
  | {
      readonly kind: 'attempted';
      readonly path: JsonPointer;
      readonly target: string;
      readonly attempt: number;
      readonly status: number;
      readonly origin: Origin;
      /** When it was sent, and when its answer began; only where something consumes usage. */
      readonly ms?: AttemptMs;
      /** The error that the gateway answered in place of its provider; only where `ms` is. */
      readonly cause?: ErrorCode;
      /** The index of the key that it was sent with, where its target has several. */
      readonly key?: number;
      /** How many requests it was, where its provider takes only so many texts in one. */
      readonly requests?: number;
      /** Milliseconds that it waited for a place at its target before it was sent; absent where it did not. */
      readonly queuedMs?: number;
    }
  /**
   * The usage of an attempt, reported at its end: for a stream, when that ends. Only where something consumes usage,
   * and plugins do not read it.
   */
  | {
      readonly kind: 'settled';
      readonly path: JsonPointer;
      readonly target: string;
      readonly attempt: number;
      readonly usage: UsageRecord;
      /** Why the choices of its answer have ended, in the provider's words, where that was read with the usage. */
      readonly finishReasons?: readonly string[];
      /** When it ended. */
      readonly ms?: { readonly end: number };
    }
  /** The leaf waits and sends again; `retry` counts from 1. */
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
   * The first branch of a fallback had not answered after so many milliseconds, so that the next one is asked beside it. Of the
   * two, the attempt that is cancelled has the status 499.
   */
  | {
      readonly kind: 'hedged';
      readonly path: JsonPointer;
      readonly from: number;
      readonly to: number;
      readonly afterMs: number;
    }
  /** How a hedge ended; one that was refused for its budget was not begun. */
  | { readonly kind: 'hedgeEnded'; readonly path: JsonPointer; readonly result: HedgeResult }
  /**
   * A stored answer was used, `ageS` seconds after it was stored: no attempt was made and no output check was run. `stale`:
   * attempts were made, and it stands in for their failure. `similarity`: how alike the question is whose answer it is, from -1 to 1
   * (the cosine of their vectors); only where that was compared.
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
   * Answers to questions of one form with this one were stored, and none of the questions was alike enough: `similarity` is that of
   * the most alike, from -1 to 1 (the cosine of their vectors).
   */
  | { readonly kind: 'missed'; readonly path: JsonPointer; readonly similarity: number }
  /**
   * The checks of a node have judged the request or its answer. `erred`: one or more of them failed with an error and did not judge, which
   * passes unless the check says `failOnError`.
   */
  | {
      readonly kind: 'checked';
      readonly path: JsonPointer;
      readonly phase: CheckPhase;
      readonly result: CheckResult;
      readonly erred?: true;
    }
  /** A circuit opened, closed or began to be tried. `of`: which of a leaf's circuits; absent where it has one. */
  | {
      readonly kind: 'circuitChanged';
      readonly path: JsonPointer;
      readonly of?: CircuitName;
      readonly from: CircuitState;
      readonly to: CircuitState;
    }
  /** A copy of the request goes to the target of a node's mirror, once its answer has ended. */
  | { readonly kind: 'mirrored'; readonly path: JsonPointer; readonly target: string }
  /** A stream that had begun failed; the client got an error event, unless it went on elsewhere. */
  | { readonly kind: 'streamFailed'; readonly path: JsonPointer; readonly cause: string }
  /** A stream of the branch `from` that failed, for this cause, has gone on at `to`: its client got no error event. */
  | {
      readonly kind: 'continued';
      readonly path: JsonPointer;
      readonly from: number;
      readonly to: number;
      readonly cause: string;
    }
  /** A stream that failed did not go on, though its fallback lets streams do so. `branch` is where it failed. */
  | {
      readonly kind: 'notContinued';
      readonly path: JsonPointer;
      readonly branch: number;
      readonly reason: WhyNotContinued;
    }
  /** The deadline of the request, `ms` after it was received, passed before its answer was complete. */
  | { readonly kind: 'deadlinePassed'; readonly ms: number }
  /** The client left before its answer was complete. */
  | { readonly kind: 'clientLeft' };

/**
 * `not-listed`: the fallback does not go on for what happened; `no-branch`: there is no other branch that may be asked;
 * `refused`: the next one did not answer with a stream; `checks`: checks may deny or change its answer; `several-answers`: more
 * than one was asked for; `schema`: the answer must have a form; `tool-call`: a tool was being called; `reasoning`: it broke
 * within the model's reasoning, or that is bound to its provider; `refusal`: the model was refusing; `media`: there was more than
 * text; `finished`: only its end was missing; `length`: it had as many tokens as the request allows, and so ended well; `too-long`: it was longer than what is kept to go on; `unreadable`: the gateway
 * cannot read what it said.
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

/** A branch (its index in the plan) and what the request needs that it lacks. */
export interface UnableBranch {
  readonly branch: number;
  readonly lacks: readonly Lack[];
}

/** Milliseconds since the request began, with two decimals; no `head` where no answer came. */
export interface AttemptMs {
  readonly sent: number;
  readonly head?: number;
}

/**
 * `won`: its answer was given. `lost`: it was not. `refused`: the budget of the fallback was spent, or a limit let it send nothing.
 */
export type HedgeResult = 'won' | 'lost' | 'refused';

/** Whether a check judges requests or answers. */
export type CheckPhase = 'input' | 'output';
/** The result of one check, as the trail has it. */
export type CheckResult = 'passed' | 'failed' | 'denied';
/** The state of a circuit breaker. */
export type CircuitState = 'closed' | 'open' | 'half-open';
