import type { Json, JsonObject } from './json.ts';

/** A request to converse, in no vendor's words. Every conversing dialect reads it from, and writes it to, its wire. */
export interface Conversation {
  readonly model?: string;
  readonly system: readonly TextPart[];
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly sampling: Sampling;
  readonly stream: boolean;
  /** Ask for usage at a stream's end. */
  readonly streamUsage?: boolean;
  readonly answerFormat?: AnswerFormat;
  readonly reasoning?: ReasoningRequest;
  /** An opaque id of the end user. */
  readonly user?: string;
  /** Fields that only one dialect knows, by dialect id: carried when the same dialect writes it, else a declared loss. */
  readonly extensions: { readonly [dialect: string]: JsonObject };
}

export interface Turn {
  readonly role: 'user' | 'assistant' | 'tool';
  /** The speaker's name, where a dialect has one. */
  readonly name?: string;
  readonly parts: readonly Part[];
}

export type Part = TextPart | MediaPart | ToolCallPart | ToolResultPart | ReasoningPart | RefusalPart | OtherPart;

/** Marks a prefix that a provider may keep, with the time to keep it where one is given (`5m`, `1h`). */
export interface CacheHint {
  readonly ttl?: string;
}

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly cache?: CacheHint;
}

export interface MediaPart {
  readonly kind: 'media';
  readonly media: 'image' | 'document' | 'audio';
  readonly source:
    | { readonly kind: 'url'; readonly url: string }
    | { readonly kind: 'base64'; readonly mimeType: string; readonly data: string }
    | { readonly kind: 'file'; readonly id: string };
  readonly name?: string;
  readonly detail?: string;
  readonly cache?: CacheHint;
}

/** `arguments` is the JSON text as the model wrote it, which may not be valid JSON. */
export interface ToolCallPart {
  readonly kind: 'tool-call';
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly cache?: CacheHint;
}

export interface ToolResultPart {
  readonly kind: 'tool-result';
  readonly id: string;
  readonly parts: readonly (TextPart | MediaPart | OtherPart)[];
  readonly failed?: true;
  readonly cache?: CacheHint;
}

/** The model's reasoning. `signature` proves it to the provider that wrote it; `redacted` is what it hid. */
export interface ReasoningPart {
  readonly kind: 'reasoning';
  readonly text: string;
  readonly signature?: string;
  readonly redacted?: string;
}

export interface RefusalPart {
  readonly kind: 'refusal';
  readonly text: string;
}

/** A part that only `dialect` knows, as it was on the wire. */
export interface OtherPart {
  readonly kind: 'other';
  readonly dialect: string;
  readonly value: Json;
}

export type Tool =
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly description?: string;
      /** A JSON Schema; absent means no parameters. */
      readonly parameters?: JsonObject;
      readonly strict?: boolean;
      readonly cache?: CacheHint;
    }
  | { readonly kind: 'other'; readonly dialect: string; readonly value: JsonObject };

export interface ToolChoice {
  readonly mode: 'auto' | 'none' | 'required' | 'tool';
  /** With `tool`: which. */
  readonly name?: string;
  /** Whether several calls may come at once; absent is the provider's default. */
  readonly parallel?: boolean;
}

export interface Sampling {
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  /** Answers to give; 1 where absent. */
  readonly count?: number;
}

export type AnswerFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json' }
  | {
      readonly kind: 'schema';
      readonly name?: string;
      readonly schema: JsonObject;
      readonly strict?: boolean;
      readonly description?: string;
    };

export type ReasoningRequest =
  | { readonly kind: 'effort'; readonly effort: string }
  | { readonly kind: 'budget'; readonly tokens: number }
  | { readonly kind: 'adaptive' }
  | { readonly kind: 'off' };

/** A whole answer. */
export interface Answer {
  readonly id: string;
  readonly model: string;
  /** Seconds since the epoch, where the wire has it. */
  readonly created?: number;
  readonly choices: readonly AnswerChoice[];
  readonly usage?: Usage;
  readonly extensions: { readonly [dialect: string]: JsonObject };
}

export interface AnswerChoice {
  readonly index: number;
  readonly parts: readonly Part[];
  readonly finish: Finish;
  readonly extensions?: { readonly [dialect: string]: JsonObject };
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'refusal' | 'pause' | 'other';

export interface Finish {
  readonly reason: FinishReason;
  /** As the provider said it. */
  readonly raw?: string;
  /** Which stop sequence ended it. */
  readonly stopSequence?: string;
}

/** Tokens. `input` counts everything that was read, cached tokens included. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
  /** As the wire had it, by dialect. */
  readonly raw?: { readonly [dialect: string]: JsonObject };
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
      readonly signature?: string;
      readonly redacted?: string;
    }
  | {
      readonly kind: 'tool-call';
      readonly choice: number;
      readonly block: number;
      readonly id: string;
      readonly name: string;
    }
  | { readonly kind: 'tool-arguments'; readonly choice: number; readonly block: number; readonly text: string }
  | { readonly kind: 'other'; readonly choice: number; readonly block: number; readonly part: OtherPart }
  | { readonly kind: 'finish'; readonly choice: number; readonly finish: Finish }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'error'; readonly error: WireError }
  | { readonly kind: 'end' };

/** An error as a provider reported it. */
export interface WireError {
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  /** The status it would have had as an answer, where the dialect's documentation says one. */
  readonly status?: number;
}
