import type { JsonObject } from '../../../schema/json/json.ts';

/** How an upstream behaves when it is called. Time passes on the test's own clock. */
export type UpstreamReply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Headers by name. */
      readonly headers: Readonly<Record<string, string>>;
      /** The text of the model's answer. */
      readonly text: string;
      /** Sent instead of the dialect's own answer. */
      readonly body: JsonObject | undefined;
      readonly afterMs: number;
    }
  | {
      readonly kind: 'stream';
      readonly words: readonly string[];
      /** The number of words after which the stream breaks off. Complete if absent. */
      readonly cutAfter: number | undefined;
      /** Milliseconds before each word. */
      readonly wordMs: number;
      readonly afterMs: number;
    }
  | { readonly kind: 'refusal' }
  | { readonly kind: 'silence' };

export interface AnswerOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The text of the model's answer; `ok` if absent. */
  readonly text?: string;
  readonly body?: JsonObject;
  readonly afterMs?: number;
}

/** A reply with this status. A success is in the dialect of the request, and streamed if the request asks for it. */
export const answers = (status: number, options: AnswerOptions = {}): UpstreamReply => {
  if (!Number.isInteger(status) || status < 100 || status > 999)
    throw new TypeError(`answers needs a status such as 503, not ${JSON.stringify(status)}.`);
  return {
    kind: 'answer',
    status,
    headers: options.headers ?? {},
    text: options.text ?? 'ok',
    body: options.body,
    afterMs: options.afterMs ?? 0,
  };
};

export interface StreamOptions {
  readonly cutAfter?: number;
  readonly wordMs?: number;
  readonly afterMs?: number;
}

/** A reply that streams these words, complete or cut off. */
export const streams = (words: readonly string[], options: StreamOptions = {}): UpstreamReply => ({
  kind: 'stream',
  words,
  cutAfter: options.cutAfter,
  wordMs: options.wordMs ?? 0,
  afterMs: options.afterMs ?? 0,
});

/** An upstream that cannot be reached. */
export const refuses = (): UpstreamReply => ({ kind: 'refusal' });

/** An upstream that receives the request and never answers. */
export const hangs = (): UpstreamReply => ({ kind: 'silence' });
