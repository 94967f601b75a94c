import type { JsonObject } from '../../../schema/json/json.ts';

/** The behaviour of an upstream when it is called. Time passes on the test's own clock. */
export type UpstreamReply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** By name. */
      readonly headers: Readonly<Record<string, string>>;
      /** The model's answer. */
      readonly text: string;
      /** Replaces the dialect's own answer. */
      readonly body: JsonObject | undefined;
      readonly afterMs: number;
    }
  | {
      readonly kind: 'stream';
      readonly words: readonly string[];
      /** How many words are sent before it breaks off; complete if absent. */
      readonly cutAfter: number | undefined;
      /** Milliseconds before each word. */
      readonly wordMs: number;
      readonly afterMs: number;
    }
  | { readonly kind: 'refusal' }
  | { readonly kind: 'silence' };

export interface AnswerOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The model's answer; `ok` if absent. */
  readonly text?: string;
  readonly body?: JsonObject;
  readonly afterMs?: number;
}

/** Answers with this status; if it is a success, in the dialect of the request, streamed if a stream was requested. */
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

/** Answers with a stream of these words, complete or cut off. */
export const streams = (words: readonly string[], options: StreamOptions = {}): UpstreamReply => ({
  kind: 'stream',
  words,
  cutAfter: options.cutAfter,
  wordMs: options.wordMs ?? 0,
  afterMs: options.afterMs ?? 0,
});

/** Cannot be reached. */
export const refuses = (): UpstreamReply => ({ kind: 'refusal' });

/** Receives the request and never answers. */
export const hangs = (): UpstreamReply => ({ kind: 'silence' });
