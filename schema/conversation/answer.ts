import type { JsonObject } from '../json/json.ts';
import type {
  BoundValue,
  Citation,
  Extensions,
  MediaPart,
  OtherPart,
  Part,
  ServerToolCallPart,
  ServerToolResultPart,
  TokenLogprob,
  Usage,
} from './conversation.ts';

/** A whole answer. */
export interface Answer {
  readonly id: string;
  readonly model: string;
  /** Seconds since the epoch, if the format has it. */
  readonly created?: number;
  readonly choices: readonly AnswerChoice[];
  readonly usage?: Usage;
  readonly extensions: { readonly [dialect: string]: JsonObject };
}

/** One of the answers that a request asked for. */
export interface AnswerChoice {
  readonly index: number;
  readonly parts: readonly Part[];
  readonly finish: Finish;
  readonly extensions?: { readonly [dialect: string]: JsonObject };
}

/**
 * `context-window`: the model's context was full; `compaction`: the provider shortened the conversation and waits;
 * `malformed-call`: the model's tool call could not be read; `blocked-prompt`: the prompt was refused, so nothing was
 * generated.
 */
export type FinishReason =
  | 'stop'
  | 'length'
  | 'tool-calls'
  | 'content-filter'
  | 'refusal'
  | 'pause'
  | 'context-window'
  | 'compaction'
  | 'malformed-call'
  | 'blocked-prompt'
  | 'other';

/** Why a choice ended. */
export interface Finish {
  readonly reason: FinishReason;
  /** Why, in the provider's words. */
  readonly details?: string;
  /** The provider's own value. */
  readonly raw?: string;
  /** The stop sequence that ended it. */
  readonly stopSequence?: string;
}

/**
 * One step of a streamed answer. Folding the steps of a stream (`foldAnswer`) gives the whole answer. `block` numbers
 * the parts of a choice in the order they begin; deltas of different blocks may interleave.
 */
export type AnswerEvent =
  | {
      readonly kind: 'start';
      readonly id: string;
      readonly model: string;
      readonly created?: number;
      readonly usage?: Usage;
    }
  | { readonly kind: 'text'; readonly choice: number; readonly block: number; readonly text: string }
  | { readonly kind: 'refusal'; readonly choice: number; readonly block: number; readonly text: string }
  | {
      readonly kind: 'reasoning';
      readonly choice: number;
      readonly block: number;
      readonly text?: string;
      /** A piece of the summary; pieces of the same index are one text. */
      readonly summary?: { readonly index: number; readonly text: string };
      readonly bound?: BoundValue;
    }
  | {
      readonly kind: 'tool-call';
      readonly choice: number;
      readonly block: number;
      readonly id: string;
      readonly name: string;
      readonly input?: 'text';
      readonly extensions?: Extensions;
    }
  | { readonly kind: 'tool-arguments'; readonly choice: number; readonly block: number; readonly text: string }
  /** A part that arrives as a whole. */
  | {
      readonly kind: 'part';
      readonly choice: number;
      readonly block: number;
      readonly part: MediaPart | ServerToolCallPart | ServerToolResultPart | OtherPart;
    }
  /** A citation for the text of the block. */
  | { readonly kind: 'citation'; readonly choice: number; readonly block: number; readonly citation: Citation }
  | {
      readonly kind: 'logprobs';
      readonly choice: number;
      readonly block: number;
      readonly logprobs: readonly TokenLogprob[];
    }
  /** A member that only `dialect` has, of a choice or, without one, of the answer: see `extensions`. */
  | { readonly kind: 'extension'; readonly choice?: number; readonly dialect: string; readonly value: JsonObject }
  /** Ends the block. Not every dialect has this. */
  | { readonly kind: 'block-end'; readonly choice: number; readonly block: number }
  | { readonly kind: 'finish'; readonly choice: number; readonly finish: Finish }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'error'; readonly error: WireError }
  | { readonly kind: 'end' };

/** An event of a streamed answer, of one kind. */
export type AnswerEventOf<Kind extends AnswerEvent['kind']> = Extract<AnswerEvent, { readonly kind: Kind }>;

/** An error as a provider reported it. */
export interface WireError {
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  /** The status that it would have as a response, if the dialect's documentation specifies one. */
  readonly status?: number;
  /** After how many milliseconds the request may be retried, if the provider said so. */
  readonly retryAfterMs?: number;
}
