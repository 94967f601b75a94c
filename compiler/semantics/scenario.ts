import type { Lack } from '../../schema/model-facts/lack.ts';
import type { Facts } from '../../schema/plan/condition.ts';

/** The wall clock, in milliseconds since the epoch, when a scenario begins; its monotonic clock begins at 0. */
export const scenarioEpochMs: number = Date.UTC(2030, 0, 1);

/** Everything that a plan's behaviour can depend on, except chance. Every circuit is closed at its beginning. */
export interface Scenario {
  /** The requests, one after the other. Circuits keep their state between them. */
  readonly requests: readonly ScenarioRequest[];
  readonly upstream: ScenarioUpstream;
  /** If absent, every check passes. */
  readonly checks?: ScenarioChecks;
  /** If absent, no target works for its probes. */
  readonly probes?: ScenarioProbes;
}

export interface ScenarioRequest {
  /** Milliseconds since the end of the previous request, or since the beginning. */
  readonly afterMs: number;
  /** The request wants a stream if `params.stream` is true. */
  readonly facts: Facts;
  /** The request's own deadline in milliseconds; that of the plan applies if it is earlier. */
  readonly deadlineMs?: number;
  /** Ids of the targets that cannot serve it: each lacks `scenarioLack`. None if absent. */
  readonly unable?: readonly string[];
}

/** The one thing that targets lack in a scenario. */
export const scenarioLack: Lack = 'tools';

/**
 * Returns the answer of a target to its `nth` call, counted from 1 over the whole scenario. `key` is the index of the key that it
 * is called with, if it has several.
 */
export type ScenarioUpstream = (target: string, nth: number, key?: number) => Reply;

/** The result of a hook. `retry`: it fails, and requests an additional attempt if one of its checks may do so. */
export type ScenarioVerdict = 'pass' | 'fail' | 'retry';

/** Returns the verdict of a hook at a target, the `nth` time that it runs there, counted from 1 over the whole scenario. */
export type ScenarioChecks = (hook: string, target: string, nth: number) => ScenarioVerdict;

/** Returns whether a target works when it is probed for the `nth` time, counted from 1 over the whole scenario. */
export type ScenarioProbes = (target: string, nth: number) => boolean;

/** How long a reply takes, in milliseconds; no time if absent. */
interface Timed {
  /** Until it begins: the whole answer, the first content of a stream, or its failure. */
  readonly afterMs?: number;
}

/** A timed stream. After its first content, it takes `restMs` until it ends or breaks. */
interface TimedStream extends Timed {
  readonly restMs?: number;
}

/** The result of one upstream call. */
export type Reply =
  /** An answer; header names are in lower case. A 200 to a request for a stream is a whole stream. */
  | ({
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    } & TimedStream)
  | ({ readonly kind: 'network'; readonly cause: NetworkCause } & Timed)
  /** No answer within the target's time-out, after which it is 408. */
  | { readonly kind: 'hang' }
  /**
   * A 200 that breaks off. Before its first content event, or if a whole answer was requested, it is a network failure
   * (`stream-cut`, `connection-lost`). After that, the 200 has been sent, and the stream has failed.
   */
  | ({ readonly kind: 'cut'; readonly content: boolean } & TimedStream);

/** Codes of the error table that a failed call can have. */
export type NetworkCause = 'connection-failed' | 'connection-lost' | 'pool-full';
