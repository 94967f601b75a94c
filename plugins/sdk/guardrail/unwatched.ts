import type { CheckInput } from './guardrail.ts';

/** The key under which the gateway stores those parts of an input whose reading it records. */
export const unwatched: unique symbol = Symbol('unwatched');

/** The parts of an input that may differ between targets. Reading them through this object is not recorded. */
export interface Unwatched extends Pick<CheckInput, 'request' | 'target'> {
  /** Records that the check read one of them. */
  looksAtTarget(): void;
}

/** An input that the gateway created. */
interface WatchedInput extends CheckInput {
  readonly [unwatched]: Unwatched;
}

/** For code that passes an input on before it is known what the check reads. Returns undefined if reading is not recorded. */
export const findUnwatched = (input: CheckInput): Unwatched | undefined =>
  unwatched in input ? (input as WatchedInput)[unwatched] : undefined;
