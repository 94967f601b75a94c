/** The queries about counters, with arguments and answers as in the scripts of Redis. */
export type CountersQuestion = 'decide' | 'read' | 'reset';

/** Counters in another process: in a Redis, or in the process that owns this worker. */
export interface RemoteCounters {
  /** Resolves with the texts of the answer. Rejects with a `NotSentError`, or if there is no answer in time. */
  run(question: CountersQuestion, args: readonly string[]): Promise<readonly string[]>;
}

/** The texts that describe remote counters to operators. */
export interface CountersPlace {
  /** As a part of a sentence: `the Redis of the limits`. */
  readonly name: string;
  /** An instruction for failures without a known reason: a sentence without its full stop. */
  readonly advice: string;
  /** Returns an instruction for a failure with a known reason. */
  remedy?(error: unknown): string | undefined;
  /** Describes a failure without revealing a secret. */
  describe(error: unknown): string;
}

/**
 * Thrown if there is no connection, so that nothing was sent. The cause is why the last connection ended or could not be opened.
 */
export class NotSentError extends Error {}

/** Capitalises the name of a place for the beginning of a sentence. */
export const capitalised = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
