import type { Origin } from '../../../schema/http/status.ts';
import type { Capability } from '../../../schema/model-facts/capability.ts';

/** A branch of a load balance that can currently receive a request. */
export interface ChooserTarget {
  /** The index of the branch in its group, which is the same for every request. */
  readonly index: number;
  /** Greater than 0. */
  readonly weight: number;
  /** The id of its provider; for a group, that of its first target. Empty if each request chooses the provider. */
  readonly provider: string;
  /** The model that it calls. Absent if the request names none. */
  readonly model?: string;
  /** The number of requests that were sent to it and whose answers have not ended. */
  readonly inFlight: number;
  /**
   * The cost of the request at this branch, in US dollars. Present only if the chooser declares `readsPrices` and the cost is
   * known.
   */
  readonly price?: number;
}

/** The request that a branch is chosen for. */
export interface ChooserRequest {
  /** The approximate number of tokens in its body. */
  readonly tokens: number;
  /** The capabilities that it requires of a model, determined on first access. Empty if they cannot be determined. */
  readonly needs: readonly Capability[];
  /**
   * The text that all requests of its conversation start with: the system prompt, and the turns up to the first user turn.
   * Determined on access; undefined if the request is not a conversation.
   */
  readonly prefix?: string | undefined;
}

/** Random draws. They are the same each time for the same request, so that it can be replayed. */
export interface ChooserDraw {
  /**
   * Draws an index in proportion to its weight; an index with weight 0 is never drawn. Weights must be integers, at least one of
   * them above 0, with a sum of at most 2^53 - 1. Throws a `RangeError` otherwise.
   */
  pick(weights: readonly number[]): number;
  /** Draws a number between `from` and `to`, uniformly distributed. */
  between(from: number, to: number): number;
}

/** How a branch answered, as far as is known when the answer or the first content of a stream has arrived. */
export interface ChooserOutcome {
  readonly status: number;
  /** `upstream`, or why there is no answer: `network` or `timeout`. */
  readonly origin: Extract<Origin, 'upstream' | 'network' | 'timeout'>;
  /** Milliseconds until the first content, including retries. */
  readonly answeredMs: number;
  /** Returns a header of the answer. `name` is in lower case. */
  header(name: string): string | undefined;
}

/** Chooses among the branches of one load balance, for the requests of one tenant, and learns from their outcomes. */
export interface Chooser {
  /**
   * Returns the index, in `targets`, of the branch that serves the request. There are at least two targets. Must not be async. If
   * it throws or returns an index that is out of range, the gateway logs that and draws a branch by weight.
   */
  choose(targets: readonly ChooserTarget[], request: ChooserRequest, draw: ChooserDraw): number;
  /** Reports how the branch with this index answered. Not called for outcomes in which no upstream took part. */
  heard(index: number, outcome: ChooserOutcome): void;
}

/** The services of the gateway that a chooser may use. */
export interface ChooserServices {
  /** Returns milliseconds of a monotonic clock. */
  monotonic(): number;
  /** Returns milliseconds since the epoch. */
  wall(): number;
}

/** A way to balance load, named by `strategy.balance` in configs. */
export interface ChooserDefinition {
  readonly id: string;
  /** One sentence for users that says how it chooses. */
  readonly description: string;
  /** Whether `choose` needs the `price` of targets; false if absent. */
  readonly readsPrices?: boolean;
  /**
   * Creates a chooser. Called once for each load balance and tenant, and again if these have not been used for a long time. Must
   * not be async.
   */
  create(services: ChooserServices): Chooser;
}

/** Defines a way to balance load, for the `choosers` of a plugin. */
export const defineChooser = (definition: ChooserDefinition): ChooserDefinition => definition;
