/** The questions about counters, and their arguments and answers as the scripts of Redis have them. */
export type CountersQuestion = 'decide' | 'read' | 'reset';

/** Counters that another process has: a Redis, or the process that owns this worker. */
export interface RemoteCounters {
  /** Resolves with the texts that are answered. Rejects with a `NotSentError`, or where there is no answer in time. */
  run(question: CountersQuestion, args: readonly string[]): Promise<readonly string[]>;
}

/** The texts by which operators read of remote counters. */
export interface CountersPlace {
  /** As a part of a sentence: `the Redis of the limits`. */
  readonly name: string;
  /** An instruction for where they do not answer: a sentence without its end. */
  readonly advice: string;
  /** Describes a failure without any secret. */
  describe(error: unknown): string;
}

/** There is no connection, so that nothing was sent; the cause is why the last one ended or was not made. */
export class NotSentError extends Error {}

/** The name of a place as the beginning of a sentence. */
export const capitalised = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
