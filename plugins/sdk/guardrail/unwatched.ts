import type { CheckInput } from './guardrail.ts';

/** Where the gateway leaves the parts of an input whose reading it notes. */
export const unwatched: unique symbol = Symbol('unwatched');

/** The parts of an input that may differ from one target to the next. Reading them here is not noted. */
export interface Unwatched extends Pick<CheckInput, 'request' | 'target'> {
  /** Notes that the check looked at one of them. */
  looksAtTarget(): void;
}

/** An input of the gateway's own. */
interface WatchedInput extends CheckInput {
  readonly [unwatched]: Unwatched;
}

/** For what passes an input on without knowing yet what its check looks at; `undefined` if nothing is noted. */
export const findUnwatched = (input: CheckInput): Unwatched | undefined =>
  unwatched in input ? (input as WatchedInput)[unwatched] : undefined;
