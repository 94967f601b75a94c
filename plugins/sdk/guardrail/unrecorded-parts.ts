import type { CheckInput } from './guardrail.ts';

/** The key under which the gateway stores those parts of an input whose reading it records. */
export const unrecordedParts: unique symbol = Symbol('unwatched');

/** The parts of an input that may differ between targets. Reading them through this object is not recorded. */
export interface Unwatched extends Pick<CheckInput, 'request' | 'target'> {
  /** Records that the check read one of them. */
  readsTarget(): void;
}

/** An input that the gateway created. */
interface WatchedInput extends CheckInput {
  readonly [unrecordedParts]: Unwatched;
}

/** For code that passes an input on before it is known what the check reads. Returns undefined if reading is not recorded. */
export const findUnrecordedParts = (input: CheckInput): Unwatched | undefined =>
  unrecordedParts in input ? (input as WatchedInput)[unrecordedParts] : undefined;
