import type { Json, JsonObject } from '../json/json.ts';

/**
 * Members that only one dialect has, by dialect id, in the objects where they are there. They are kept if the same dialect writes
 * them, and otherwise are a declared loss.
 */
export type Extensions = { readonly [dialect: string]: JsonObject };

/** A conversation request, independent of any vendor. Every dialect with conversations decodes and encodes it. */
export interface Conversation {
  readonly model?: string;
  /** The instructions before the first turn. Later instructions are turns, because their place has a meaning. */
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
  /** `auto`, `default`, `flex`, `priority`, … */
  readonly serviceTier?: string;
  /** Log probabilities of the answer's tokens, with those of the most likely others at each position. */
  readonly logprobs?: { readonly top?: number };
  /** The kinds of output: `text`, `audio`, `image`. */
  readonly modalities?: readonly string[];
  /** How audio output is generated. */
  readonly audio?: { readonly voice?: Json; readonly format?: string };
  /** Requests with the same key are likely to share a cached prefix. */
  readonly cacheKey?: string;
  /** How long answers are: `low`, `medium`, `high`. */
  readonly verbosity?: string;
  readonly extensions: Extensions;
}

/** `system` and `developer` turns are instructions that do not all come before the first turn. */
export interface Turn {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  /** The speaker's name, if the dialect has one. */
  readonly name?: string;
  /** The id of the message, as its provider assigned it. */
  readonly id?: string;
  /** The phase of the model's work, as its provider named it: `commentary`, `final_answer`. */
  readonly phase?: string;
  readonly parts: readonly Part[];
}

/** A piece of a turn or of an answer. */
export type Part =
  | TextPart
  | MediaPart
  | JsonPart
  | ToolCallPart
  | ToolResultPart
  | ServerToolCallPart
  | ServerToolResultPart
  | ReasoningPart
  | RefusalPart
  | OtherPart;

/**
 * A value that only the service that created it can verify or read, carried for its next turn. `scope` names that service (see
 * `bound.ts`); for other services the value is dropped. `signature` proves the text beside it, `encrypted` contains the reasoning
 * itself, and `thought` belongs to whatever follows it in the turn.
 */
export interface BoundValue {
  readonly scope: string;
  readonly kind: 'signature' | 'encrypted' | 'thought';
  readonly value: string;
}

/** Marks a prefix that a provider may cache, optionally with the time to keep it (`5m`, `1h`, `12h`). */
export interface CacheHint {
  readonly ttl?: string;
}

/** A text. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly cache?: CacheHint;
  readonly citations?: readonly Citation[];
  readonly logprobs?: readonly TokenLogprob[];
}

/** A source of a text. */
export interface Citation {
  readonly url?: string;
  readonly title?: string;
  /** The cited words. */
  readonly quote?: string;
  /** The id of a file or of a search result, or the number of a document of the request, counted from 0. */
  readonly source?: string | number;
  /** Where the words are in the source; `to` is exclusive. */
  readonly at?: { readonly unit: 'character' | 'page' | 'block'; readonly from: number; readonly to: number };
  /** The characters of the text that it supports; `to` is exclusive. */
  readonly span?: { readonly from: number; readonly to: number };
}

/** A token of an answer with its log probability. */
export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  /** The token's UTF-8 bytes. */
  readonly bytes?: readonly number[];
  /** The most likely tokens at this position. */
  readonly top?: readonly Omit<TokenLogprob, 'top'>[];
}

/** A JSON value in the place of text: a tool's structured result. */
export interface JsonPart {
  readonly kind: 'json';
  readonly value: Json;
}

/** An image, a document, a sound or a video. */
export interface MediaPart {
  readonly kind: 'media';
  readonly media: 'image' | 'document' | 'audio' | 'video';
  readonly source: /** The type is there only if the address does not say it. */
    | { readonly kind: 'url'; readonly url: string; readonly mimeType?: string }
    | { readonly kind: 'base64'; readonly mimeType: string; readonly data: string }
    | { readonly kind: 'file'; readonly id: string };
  readonly name?: string;
  readonly detail?: string;
  readonly cache?: CacheHint;
  readonly extensions?: Extensions;
}

/** `arguments` is the JSON text as the model wrote it, which may not be valid JSON. For a custom tool it is plain text. */
export interface ToolCallPart {
  readonly kind: 'tool-call';
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** The call of a custom tool, whose input is plain text. */
  readonly input?: 'text';
  readonly cache?: CacheHint;
  readonly extensions?: Extensions;
}

/** The content of a tool's result. */
export type ResultContent = TextPart | MediaPart | JsonPart | OtherPart;

/** The result of a tool call, for the model. */
export interface ToolResultPart {
  readonly kind: 'tool-result';
  readonly id: string;
  /** The tool's name, if the dialect has it beside the id. */
  readonly name?: string;
  readonly parts: readonly ResultContent[];
  readonly failed?: true;
  /** The result of a custom tool. */
  readonly input?: 'text';
  readonly cache?: CacheHint;
}

/** A call of a tool that the provider itself runs: `web_search`, `code_execution`, `file_search`, `mcp`, … */
export interface ServerToolCallPart {
  readonly kind: 'server-tool-call';
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
  /** The dialect in which it arrived, and its form there. */
  readonly dialect: string;
  readonly value: Json;
}

/** The result of such a call. `text` is the readable part of it, for checks and for dialects without that tool. */
export interface ServerToolResultPart {
  readonly kind: 'server-tool-result';
  /** The id of the call. */
  readonly id: string;
  readonly text: string;
  readonly dialect: string;
  readonly value: Json;
}

/** The model's reasoning: its text, or a summary of it if the provider does not reveal the text. */
export interface ReasoningPart {
  readonly kind: 'reasoning';
  readonly text: string;
  readonly summary?: readonly string[];
  readonly bound?: BoundValue;
}

/** The text by which a model declines to answer. */
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

/** A function that a model may call. */
export type Tool =
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly description?: string;
      /** A JSON Schema; no parameters if absent. */
      readonly parameters?: JsonObject;
      readonly strict?: boolean;
      readonly cache?: CacheHint;
      readonly extensions?: Extensions;
    }
  | {
      /** A tool whose input is plain text. */
      readonly kind: 'custom';
      readonly name: string;
      readonly description?: string;
      /** The constraint on its input, in OpenAI's form: `{ type: 'grammar', syntax, definition }`. */
      readonly format?: JsonObject;
      readonly extensions?: Extensions;
    }
  | { readonly kind: 'other'; readonly dialect: string; readonly value: JsonObject };

/** The tools that a model may or must call. */
export interface ToolChoice {
  readonly mode: 'auto' | 'none' | 'required' | 'tool';
  /** With `tool`: the name of the tool. */
  readonly name?: string;
  /** With `auto` and `required`: the names of the request's tools that may be called. */
  readonly allowed?: readonly string[];
  /** Whether several calls may be made at once; the provider's default if absent. */
  readonly parallel?: boolean;
}

/** How the next token is chosen. */
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

/** The form of answer that a request asks for. */
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

/** How much a model is to reason before it answers. */
export type ReasoningRequest =
  | { readonly kind: 'effort'; readonly effort: string }
  | { readonly kind: 'budget'; readonly tokens: number }
  | { readonly kind: 'adaptive' }
  | { readonly kind: 'off' };

/** Tokens that a provider charges. If a count is absent, the processed tokens are charged. */
export interface BilledTokens {
  readonly input?: number;
  readonly output?: number;
}

/** Token counts. `input` includes cached tokens, `output` includes reasoning, and both include audio and images. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** The counts that the provider has not reported. Their values here do not cover all tokens. */
  readonly missing?: readonly ('input' | 'output')[];
  /** The lowest possible sum of the two, if both are missing. */
  readonly atLeast?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** The tokens of `cacheWrite` that are kept longer than usual, by time: `1h`. */
  readonly cacheWriteByTtl?: { readonly [ttl: string]: number };
  readonly reasoning?: number;
  readonly inputAudio?: number;
  readonly inputImage?: number;
  /** The tokens of audio that were read from a cache, which belong to both `cacheRead` and `inputAudio`. */
  readonly cacheReadAudio?: number;
  readonly outputAudio?: number;
  readonly outputImage?: number;
  /** The seconds of audio, if they are charged instead of tokens. */
  readonly audioSeconds?: number;
  /**
   * The tokens that the provider charges instead of `input` and `output`, if it reports them separately. Such tokens have a
   * single price each.
   */
  readonly billed?: BilledTokens;
  /**
   * Counts of other things than tokens, by name: calls of the provider's own tools (`web_search`), units of a reranking
   * (`search`), pages of a document (`page`), and pages with annotations (`annotated_page`).
   */
  readonly calls?: { readonly [tool: string]: number };
  /** The service tier that served the request. */
  readonly tier?: string;
  /** As received, by dialect. */
  readonly raw?: { readonly [dialect: string]: JsonObject };
}
