import type { JsonObject } from '../../schema/json.ts';

/** What an upstream does when it is called. Time passes on the test's own clock. */
export type UpstreamReply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** By name. */
      readonly headers: Readonly<Record<string, string>>;
      /** What the model says. */
      readonly text: string;
      /** In place of the dialect's own answer. */
      readonly body: JsonObject | undefined;
      readonly afterMs: number;
    }
  | {
      readonly kind: 'stream';
      readonly words: readonly string[];
      /** How many words come before it breaks off; whole where absent. */
      readonly cutAfter: number | undefined;
      /** Milliseconds before each word. */
      readonly wordMs: number;
      readonly afterMs: number;
    }
  | { readonly kind: 'refusal' }
  | { readonly kind: 'silence' };

export interface AnswerOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** What the model says; `ok` where absent. */
  readonly text?: string;
  readonly body?: JsonObject;
  readonly afterMs?: number;
}

/** Answers with this status; a good one in the dialect it was asked in, streamed where a stream was asked for. */
export const answers = (status: number, options: AnswerOptions = {}): UpstreamReply => ({
  kind: 'answer',
  status,
  headers: options.headers ?? {},
  text: options.text ?? 'ok',
  body: options.body,
  afterMs: options.afterMs ?? 0,
});

export interface StreamOptions {
  readonly cutAfter?: number;
  readonly wordMs?: number;
  readonly afterMs?: number;
}

/** Answers with a stream of these words, whole or cut off. */
export const streams = (words: readonly string[], options: StreamOptions = {}): UpstreamReply => ({
  kind: 'stream',
  words,
  cutAfter: options.cutAfter,
  wordMs: options.wordMs ?? 0,
  afterMs: options.afterMs ?? 0,
});

/** Cannot be reached. */
export const refuses = (): UpstreamReply => ({ kind: 'refusal' });

/** Takes the request and never says a word. */
export const hangs = (): UpstreamReply => ({ kind: 'silence' });
