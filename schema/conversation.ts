import type { Json, JsonObject } from './json.ts';

/** A conversation request, independent of any vendor. Every dialect with conversations decodes and encodes it. */
export interface Conversation {
  readonly model?: string;
  readonly system: readonly TextPart[];
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly sampling: Sampling;
  readonly stream: boolean;
  /** Request usage at the end of a stream. */
  readonly streamUsage?: boolean;
  readonly answerFormat?: AnswerFormat;
  readonly reasoning?: ReasoningRequest;
  /** An opaque id of the end user. */
  readonly user?: string;
  /** Fields that only one dialect has, by dialect id: kept if the same dialect writes them, else a declared loss. */
  readonly extensions: { readonly [dialect: string]: JsonObject };
}

export interface Turn {
  readonly role: 'user' | 'assistant' | 'tool';
  /** The speaker's name, if the dialect has one. */
  readonly name?: string;
  readonly parts: readonly Part[];
}

export type Part = TextPart | MediaPart | ToolCallPart | ToolResultPart | ReasoningPart | RefusalPart | OtherPart;

/** Marks a prefix that a provider may cache, optionally with the time to keep it (`5m`, `1h`). */
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

/** The model's reasoning. `signature` proves it to the provider that wrote it; `redacted` is its encrypted form. */
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

/** A part that only `dialect` has, as received. */
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
  /** With `tool`: the name of the tool. */
  readonly name?: string;
  /** Whether several calls may be made at once; the provider's default if absent. */
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
  /** The number of answers; 1 if absent. */
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
  /** Seconds since the epoch, if the format has it. */
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
  /** The provider's own value. */
  readonly raw?: string;
  /** The stop sequence that ended it. */
  readonly stopSequence?: string;
}

/** Token counts. `input` includes cached tokens. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
  /** As received, by dialect. */
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
  /** The status that it would have had as an answer, if the dialect's documentation gives one. */
  readonly status?: number;
}
