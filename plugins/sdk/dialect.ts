import type { Answer, AnswerEvent, Conversation, WireError } from '../../schema/conversation.ts';
import type { ErrorReport } from '../../schema/errors.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { Operation } from './exchange.ts';
import type { RawHeaders } from './http.ts';

/** One server-sent event. */
export interface Frame {
  readonly event?: string;
  readonly data: string;
}

/**
 * The class of a stream's frame, found cheaply without decoding all of it. `preamble`: the answer has not begun;
 * `content`: it has begun; `usage`: only token counts; `error`: the provider failed; `end`: the answer is complete.
 */
export type FrameClass = 'preamble' | 'content' | 'usage' | 'error' | 'end';

/** A wire format. Every dialect can write errors and classify its own streams; one with conversations can also translate. */
export interface Dialect {
  readonly id: string;
  readonly operation: Exclude<Operation, 'opaque'>;
  classify(frame: Frame): FrameClass;
  /**
   * A text that occurs in every frame which `classify` calls `error`: once an answer has begun, bytes without it are
   * passed on unread. Absent: every frame is classified.
   */
  readonly errorMark?: string;
  /** An error answer's body in this dialect, JSON. */
  encodeError(report: ErrorReport): JsonObject;
  /** An error inside a stream, as the text to send: a complete event; the stream ends after it. */
  encodeStreamError(report: ErrorReport): string;
  /** Reads an error answer's body; a body that is not its JSON becomes the message. */
  decodeError(status: number, body: string): WireError;
  /** A provider's error from another dialect, written in this one. */
  encodeWireError(error: WireError, status: number): JsonObject;
  /** The error inside a stream's frame that `classify` called `error`. */
  decodeStreamError(frame: Frame): WireError;
  readonly conversation?: ConversationCodec;
  readonly models?: ModelList;
}

/** A model that a plan can reach. */
export interface ListedModel {
  readonly id: string;
  readonly provider: string;
}

/** How a dialect lists models, at `GET /models`. */
export interface ModelList {
  /** The header, in lower case, that only this dialect's clients send; absent if they send none. */
  readonly clientHeader?: string;
  encode(models: readonly ListedModel[]): JsonObject;
}

/** The target that a request is written for. */
export interface EncodeTarget {
  readonly provider: string;
  readonly strict: boolean;
  /** Parameters that the provider does not accept, by wire name. */
  readonly drop: ReadonlySet<string>;
}

export interface EncodedRequest {
  readonly body: JsonObject;
  readonly headers?: RawHeaders;
  /** What this dialect cannot express of the conversation, for `gw explain`: `sampling.seed`, `turns[1].parts[0]`, … */
  readonly lost: readonly string[];
}

export interface EncodeAnswer {
  readonly provider: string;
  readonly strict: boolean;
  /** The client asked for usage at the stream's end. */
  readonly streamUsage: boolean;
  /** The id of an answer whose provider gives none. */
  readonly id?: string;
  /** Seconds since the epoch, for an answer whose dialect has no time. */
  readonly created?: number;
}

/**
 * Wire format ⇄ conversation, both directions. Laws: `decode ∘ encode` is the identity up to the declared losses;
 * folding a stream's events gives the answer; a stream decodes alike at any chunk border.
 */
export interface ConversationCodec {
  /** The declared losses: what this dialect cannot carry, with the member of the conversation. */
  readonly losses: readonly Loss[];
  /** Throws the `GatewayError` `invalid-request`, which names the invalid member. */
  decodeRequest(wire: JsonObject): Conversation;
  encodeRequest(conversation: Conversation, target: EncodeTarget): EncodedRequest;
  /** Throws an `Error` that says why the body is not an answer of this dialect. */
  decodeAnswer(wire: JsonObject): Answer;
  encodeAnswer(answer: Answer, options: EncodeAnswer): JsonObject;
  streamDecoder(): StreamDecoder;
  streamEncoder(options: EncodeAnswer): StreamEncoder;
}

export interface Loss {
  /** A member of `Conversation` or `Answer`: `sampling.seed`, `turns.parts.reasoning`. */
  readonly member: string;
  readonly why: string;
}

export interface StreamDecoder {
  push(frame: Frame): readonly AnswerEvent[];
  /** The bytes ended; gives an `error` event if the answer was not complete. */
  end(): readonly AnswerEvent[];
}

/** Gives the text to send, which may be empty: complete server-sent events. */
export interface StreamEncoder {
  push(event: AnswerEvent): string;
  /** The stream failed: returns an error event, never a clean end. */
  fail(report: ErrorReport): string;
  end(): string;
}

/** Returns the dialect unchanged, with its type checked. */
export const defineDialect = (dialect: Dialect): Dialect => dialect;
