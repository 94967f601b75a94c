import type { Origin } from '../../../schema/http/status.ts';
import type { Capability } from '../../../schema/model-facts/capability.ts';

/** A branch of a load balance that a request may be sent to now. */
export interface ChooserTarget {
  /** Its place among the targets of the group, which stays the same from one request to the next. */
  readonly index: number;
  /** Above 0. */
  readonly weight: number;
  /** The id of its provider; of a group, that of its first target. Empty where each request chooses the provider. */
  readonly provider: string;
  /** The model that it calls; absent where the request names none. */
  readonly model?: string;
  /** The requests that were sent to it and whose answers have not ended. */
  readonly inFlight: number;
  /** The cost of the request there, in US dollars; only for a chooser that `readsPrices`, and absent where it is not known. */
  readonly price?: number;
}

/** The request that a chooser chooses for. */
export interface ChooserRequest {
  /** About how many tokens its body has. */
  readonly tokens: number;
  /** The capabilities that it asks of a model, read when they are first asked for; empty where they cannot be read. */
  readonly needs: readonly Capability[];
  /**
   * What every request of its conversation begins with, as one text: what its system says, and its turns up to the first one of
   * its user. Read when it is asked for; undefined for a request that is no conversation.
   */
  readonly prefix?: string | undefined;
}

/** Random draws. The same request always gets the same ones, so that it can be replayed. */
export interface ChooserDraw {
  /**
   * An index, in proportion to its weight; a weight of 0 is never drawn. Weights are whole numbers, of which at least one is above
   * 0, and whose sum is at most 2^53 - 1. Throws a `RangeError` for others.
   */
  pick(weights: readonly number[]): number;
  /** Evenly from `from` to `to`. */
  between(from: number, to: number): number;
}

/** The answer of a branch, as far as it has arrived: a stream has begun. */
export interface ChooserOutcome {
  readonly status: number;
  /** `upstream`, or the reason why there is no answer: `network` or `timeout`. */
  readonly origin: Extract<Origin, 'upstream' | 'network' | 'timeout'>;
  /** Milliseconds until its first content, with all retries. */
  readonly answeredMs: number;
  /** A header of the answer, by its name in lower case. */
  header(name: string): string | undefined;
}

/** Chooses among the branches of one load balance, for the requests of one tenant, and remembers what became of them. */
export interface Chooser {
  /**
   * The place, in the list, of the branch that serves the request. There are at least two. Must not wait. An error, or a
   * place that is not in the list, is reported in the log, and the branch is drawn by weight.
   */
  choose(targets: readonly ChooserTarget[], request: ChooserRequest, draw: ChooserDraw): number;
  /** Hears how the branch of an index has answered. Not called for what no upstream had a part in. */
  heard(index: number, outcome: ChooserOutcome): void;
}

/** The services of the gateway that a chooser may use. */
export interface ChooserServices {
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Milliseconds since the epoch. */
  wall(): number;
}

/** A way to balance: what a config's `strategy.balance` names. */
export interface ChooserDefinition {
  readonly id: string;
  /** One sentence for people: by what it chooses. */
  readonly description: string;
  /** Whether targets have a `price`; false if absent. */
  readonly readsPrices?: boolean;
  /** Called once for each load balance and tenant, and again where these were not used for long. Must not wait for anything. */
  create(services: ChooserServices): Chooser;
}

/** A way to balance, for the `choosers` of a plugin. */
export const defineChooser = (definition: ChooserDefinition): ChooserDefinition => definition;
