import type { Lack } from '../../schema/model-facts/lack.ts';
import type { Facts } from '../../schema/plan/condition.ts';

/** The wall clock, in milliseconds since the epoch, when a scenario begins; its monotonic clock begins at 0. */
export const scenarioEpochMs: number = Date.UTC(2030, 0, 1);

/** All that a plan's behaviour can depend on, but for chance. Every circuit is closed at its beginning. */
export interface Scenario {
  /** One after the other; circuits last from one to the next. */
  readonly requests: readonly ScenarioRequest[];
  readonly upstream: ScenarioUpstream;
  /** Every check passes where this is absent. */
  readonly checks?: ScenarioChecks;
  /** No target works for its probes where this is absent. */
  readonly probes?: ScenarioProbes;
}

export interface ScenarioRequest {
  /** Milliseconds from the end of the request before, or from the beginning. */
  readonly afterMs: number;
  /** The request asks for a stream when `params.stream` is true. */
  readonly facts: Facts;
  /** The deadline that it brings itself, in milliseconds; that of the plan holds where it is nearer. */
  readonly deadlineMs?: number;
  /** Ids of the targets that are not able to serve it: each lacks `scenarioLack`. None if absent. */
  readonly unable?: readonly string[];
}

/** The one thing that targets lack in a scenario. */
export const scenarioLack: Lack = 'tools';

/**
 * Gives the answer of a target to its `nth` call, counted over the whole scenario from 1. `key` is the index of the key that it is
 * called with, where it has several.
 */
export type ScenarioUpstream = (target: string, nth: number, key?: number) => Reply;

/**
 * The result of a hook. `retry`: it fails, and asks for one more attempt if one of its checks may; if none may, it
 * fails.
 */
export type ScenarioVerdict = 'pass' | 'fail' | 'retry';

/** The verdict of a hook at a target, the `nth` time it runs there, counted over the whole scenario from 1. */
export type ScenarioChecks = (hook: string, target: string, nth: number) => ScenarioVerdict;

/** Whether a target works when it is probed for the `nth` time, counted over the whole scenario from 1. */
export type ScenarioProbes = (target: string, nth: number) => boolean;

/** How long a reply takes, in milliseconds; no time where it does not say. */
interface Timed {
  /** Until it is there: the whole answer, the first content of a stream, or its failure. */
  readonly afterMs?: number;
}

/** The same of a stream, which after its first content has `restMs` until its end, or until it breaks. */
interface TimedStream extends Timed {
  readonly restMs?: number;
}

/** The result of one upstream call. */
export type Reply =
  /** An answer; header names in lower case. A 200 to a request that asks for a stream is a whole stream. */
  | ({
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    } & TimedStream)
  | ({ readonly kind: 'network'; readonly cause: NetworkCause } & Timed)
  /** No answer within the target's time-out, and so 408 after it. */
  | { readonly kind: 'hang' }
  /**
   * A 200 that breaks off. Before its first content event, or where a whole answer was asked for, it is a network
   * failure (`stream-cut`, `connection-lost`); after that the 200 has gone out, and the stream has failed.
   */
  | ({ readonly kind: 'cut'; readonly content: boolean } & TimedStream);

/** Codes of the error table that a failed call can have. */
export type NetworkCause = 'connection-failed' | 'connection-lost' | 'pool-full';
