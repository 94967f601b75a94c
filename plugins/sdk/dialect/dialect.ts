import type { Answer, AnswerEvent, WireError } from '../../../schema/conversation/answer.ts';
import type { Conversation, MediaPart, Usage } from '../../../schema/conversation/conversation.ts';
import type { ErrorReport } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { Operation } from '../exchange/exchange.ts';
import type { FramingId } from '../http/framing-id.ts';
import type { RawHeaders } from '../http/http.ts';
import type { AnswerEdit, LeftOut } from './answer-edit.ts';
import type { CacheHints } from './cache-hints.ts';
import type { ClientCredentials, ClientRoute, ModelList, RequestPath } from './client-route.ts';
import type { EmbeddingForm } from './embedding-form.ts';
import type { Frame } from './frame.ts';
import type { ItemNaming } from './item-naming.ts';
import type { ListSplit } from './list-split.ts';
import type { MemberSelection } from './member-selection.ts';
import type { DialectMembers } from './members.ts';
import type { ClientCodecs, ProviderCodecs } from './operation-codec.ts';
import type { ChoicesAsked, EndFrame, StreamUsage } from './stream-usage.ts';
import type { FrameTexts, TextReading, TextSpan } from './text-span.ts';

export type { FramingId } from '../http/framing-id.ts';
export type { Frame } from './frame.ts';
export type { FrameTexts, TextReading, TextSpan } from './text-span.ts';

/**
 * The class of a stream's frame, determined without decoding all of it. `preamble`: the answer has not started. `content`: the
 * answer has started. `usage`: only token counts. `error`: the provider failed. `end`: the answer is complete.
 */
export type FrameClass = 'preamble' | 'content' | 'usage' | 'error' | 'end';

/** The declaration of a dialect, which the gateway reads before any request uses it. */
export interface DialectDeclaration {
  readonly id: string;
  readonly operation: Exclude<Operation, 'opaque'>;
  /** The endpoints of its clients. Without any, the gateway only uses the dialect to call providers. */
  readonly routes?: readonly ClientRoute[];
  /**
   * Other paths of its API that the gateway does not model, such as `/v2/summarize` next to `/v2/chat`. They are matched like
   * those of `routes`, with any method, and passed through, but only to providers that speak this dialect.
   */
  readonly siblings?: readonly ClientRoute['path'][];
  /**
   * Where the rest of its API is for clients whose base URL is the gateway's root: `/v2`, `/model/{model}/invoke`. Such a path,
   * and everything below one without a model, is passed through like siblings, but does not exist below `/v1`.
   */
  readonly roots?: readonly ClientRoute['path'][];
  readonly clientCredentials?: ClientCredentials;
  /**
   * Whether requests are passed through unchanged, at the same path, to a provider that speaks neither this format nor another
   * one of its operation, although it is not known what the provider has there. If absent, such requests are rejected.
   */
  readonly passesThrough?: true;
  /** The framing of its streams; `sse` if absent. */
  readonly framing?: FramingId;
  /** Returns the JSON body of an error answer in this dialect. */
  encodeError(report: ErrorReport): JsonObject;
  readonly models?: ModelList;
  /** The model lists of other services whose clients send requests in this dialect. */
  readonly furtherModels?: readonly ModelList[];
}

/** See `Dialect.relays`. */
export interface RelayedAnswers {
  /** Matches the content types, in lower case, that answers may have. */
  readonly types: RegExp;
  /** Whether an answer may also be JSON. */
  readonly orJson: boolean;
}

/**
 * A wire format. Every dialect can write errors and classify the frames of its streams. A dialect with `conversation` can also be
 * translated.
 */
export interface Dialect extends DialectDeclaration {
  /**
   * Writes parameters with the neutral names of configs (`model`, `temperature`, `max_tokens`, …) into a body, at the places that
   * this dialect has for them; unknown parameters go to the top level. A format for counting omits those that do not affect the
   * count. If absent, every parameter goes to the top level under its own name. The gateway handles `model` and `stream` if the
   * path specifies them.
   */
  place?(params: JsonObject, body: JsonObject): JsonObject;
  /**
   * Renames parameters from the neutral names of configs to the names in this dialect, if all of them are at the top level.
   * `body` is the body that they are for, which may have others. If absent, the names are the same. Ignored if there is `place`.
   */
  ownParams?(params: JsonObject, body: JsonObject): JsonObject;
  /** Sets the model in a body that repeats the model of the path. If absent, bodies do not repeat it. */
  withModel?(body: JsonObject, model: string): JsonObject;
  classify(frame: Frame): FrameClass;
  /**
   * The frames that `classify` reports as `end`. If a body ends without the delimiter of its last frame, that frame is accepted
   * as complete only if it is one of these and its data is complete; `[DONE]` counts in every dialect. Any other frame is treated
   * as truncated. If absent, every frame that is not content counts, unless its data starts like JSON and is not valid JSON.
   */
  readonly endFrames?: readonly EndFrame[];
  /**
   * For a format whose stream ends with the last of several choices. A stream is treated as truncated if fewer choices have
   * finished than the request asked for. If absent, the last end frame ends all choices.
   */
  readonly choicesAsked?: ChoicesAsked;
  /**
   * A text that occurs in every frame that `classify` reports as `error`, or several of which one does. Once an answer has
   * started, bytes without it are forwarded without being parsed. If absent, every frame is classified.
   */
  readonly errorMark?: string | readonly string[];
  /**
   * Whether clients of this format would take a frame that `classify` reports as `error` for part of the answer. If so, the
   * gateway sends its own error event instead. If absent, clients recognise every such frame.
   */
  hidesError?(frame: Frame): boolean;
  /**
   * Texts that identify members which only this gateway writes into answers, such as a bound value that names its maker, and
   * which are never sent to a provider. Every request that returns such a member contains one of these texts. It is decoded and
   * encoded again even for a provider of this dialect; all other requests are sent as they are. Each text starts with the quote
   * of a JSON string. If absent, `"gw1.`, with which bound values start.
   */
  readonly gatewayMarks?: readonly string[];
  /**
   * For each kind of content, a text that occurs in every request with such content. If client and provider speak this dialect,
   * only requests that contain the text of something the provider lacks are parsed. If absent, none are.
   */
  readonly contentMarks?: Readonly<Partial<Record<LackedContent, string>>>;
  /**
   * Completes the answers of a provider that omits members which clients of this dialect need. If absent, no provider is known to
   * omit any.
   */
  completion?(leftOut: readonly LeftOut[]): AnswerEdit;
  /**
   * Encodes an error inside a stream. The stream ends after it. `last` is the frame before it, for formats that number their
   * frames. Absent if there is none, or if it is not known.
   */
  encodeStreamError(report: ErrorReport, last?: Frame): Frame;
  /**
   * Successful answers that are not JSON, such as audio. They are forwarded as they arrive, and checks cannot read them. If
   * absent, all answers are JSON.
   */
  readonly relays?: RelayedAnswers;
  /** Decodes an error answer. If the body is not an error of this dialect, it becomes the message. */
  decodeError(status: number, body: string, headers?: RawHeaders): WireError;
  /**
   * Returns after how many whole seconds the request may be retried, according to the body of an error answer. It becomes the
   * header `retry-after` if the answer has none. If absent, bodies do not state it.
   */
  retryAfter?(body: string): number | undefined;
  /** Encodes a provider's error, decoded from another dialect, in this dialect. */
  encodeWireError(error: WireError, status: number): JsonObject;
  /** Decodes the error in a stream's frame that `classify` reported as `error`. */
  decodeStreamError(frame: Frame): WireError;
  /**
   * Returns the texts that checks judge. In the input phase: those of every turn after the last assistant turn that is followed
   * by a user or tool turn, or of all turns. In the output phase: those of every choice. Members that the format does not
   * document are judged in both phases, unless `how` specifies otherwise. Returns undefined if the body is not of this dialect,
   * if it has content but no text at all (only an image, or token IDs), or if part of it cannot be read as text; checks that may
   * deny then deny it. If this method is absent, bodies have no text to judge or, if the dialect has conversations, none that can
   * be read.
   */
  texts?(body: JsonObject, phase: CheckPhase, how?: TextReading): readonly TextSpan[] | undefined;
  /**
   * Returns the texts of a request that input checks do not judge: the instructions, and the turns before the judged ones. Checks
   * that replace texts do so there too. If absent, there are none.
   */
  earlierTexts?(body: JsonObject, how?: TextReading): readonly TextSpan[];
  /**
   * Returns the texts of a stream's frame that the events of the decoder do not report, such as those of undocumented members,
   * and those that the events should report. Returns undefined if part of the frame cannot be read as text. If absent, events
   * report every text of a frame.
   */
  frameTexts?(frame: Frame, unknown?: TextReading['unknown']): FrameTexts | undefined;
  /** The members of the dialect's bodies, from which `texts` and `frameTexts` read. Tests use them to visit every member. */
  readonly members?: DialectMembers;
  /**
   * Returns the token counts of a whole answer or of a frame's data, or undefined if there are none. `before` has the counts of
   * earlier frames, for formats that report input and output in different frames.
   */
  usage?(wire: JsonObject, before?: Usage): Usage | undefined;
  /**
   * Returns why the choices of a whole answer or of a frame's data ended, in the provider's words, without choices that have not
   * ended. In a stream, it is only called for frames that are parsed for their token counts.
   */
  finishReasons?(wire: JsonObject): readonly string[];
  /** Returns the model that answered, as named in a whole answer or a frame's data. */
  answeredBy?(wire: JsonObject): string | undefined;
  /**
   * Everything that `usage`, `finishReasons` and `answeredBy` read of an answer. When a long answer is passed through, only these
   * members are built. A value whose form does not match the selection counts as absent. If absent, the whole answer is built.
   */
  readonly metered?: MemberSelection;
  /**
   * How streams report token counts. If absent, every frame is parsed, and the output of a stream without counts is not
   * estimated.
   */
  readonly streamUsage?: StreamUsage;
  /**
   * Whether answers must contain token counts, and whether streams need them at the end or also at the start. If a provider does
   * not report them, a translated answer contains the gateway's estimate. If absent, they may be omitted.
   */
  readonly usageRequired?: 'at-end' | 'at-start';
  /** How requests mark what the provider may cache. Absent if they cannot. */
  readonly cacheHints?: CacheHints;
  readonly conversation?: ConversationCodec;
  /**
   * Adapts a conversation from another dialect to what services of this one accept, if nothing is lost: other function names,
   * another end-user ID, or a word that they expect. If absent, services accept every conversation that can be encoded.
   */
  adopt?(conversation: Conversation): Adopted;
  /**
   * The codec for clients, if the dialect has no `conversation` but requests of its clients become conversations at providers
   * that do not speak it.
   */
  readonly conversationClient?: ConversationClientCodec;
  /** The codec of a format for counting the tokens of conversations. */
  readonly count?: CountCodec;
  /**
   * The codecs of a format for an operation other than a conversation, such as embeddings, into which requests are translated.
   */
  readonly providerCodecs?: ProviderCodecs;
  /** The codecs of a format whose clients' requests are translated into others. */
  readonly clientCodecs?: ClientCodecs;
  /**
   * Encodes a client's request for a provider that uses a variant of this format (`Provider.embeddings`), with the members that
   * the variant cannot express. If absent, there are no variants.
   */
  inForm?(body: JsonObject, form: EmbeddingForm): { readonly body: JsonObject; readonly lost: readonly string[] };
  /**
   * How requests are split for a provider that limits the number of texts in one (`Provider.maxTexts`). If absent, they are not.
   */
  readonly split?: ListSplit;
  /**
   * Members of which every answer has at least one, for a dialect without a codec that reads answers. A body without them is not
   * cached. If absent, any body may be.
   */
  readonly answerMembers?: readonly string[];
  /** Decodes and encodes answers, for a dialect without `conversation`. With neither, no stage can read its streams. */
  readonly answers?: AnswerCodec;
  /** Whether clients receive all texts of a choice as one text, and all of its reasoning as one, whatever came between them. */
  readonly joinsTexts?: true;
  /** How later requests refer to items of translated answers by id alone. If absent, they cannot. */
  readonly itemNaming?: ItemNaming;
  /** Whether clients lose bound values at the end of streams. If so, the gateway remembers them where answers are translated. */
  readonly losesEndings?: true;
  /**
   * Returns the texts of a frame that its events do not report because earlier frames have; a closing frame may repeat the whole
   * answer. If a frame has a different text there, it is not forwarded as received.
   */
  repeats?(frame: Frame): readonly string[];
  /**
   * Whether a frame belongs to no part of the answer, such as a ping or an overall status, so that it may be sent before content
   * that is held back. If absent, no frame does.
   */
  standsAlone?(frame: Frame): boolean;
}

/** A dialect of which only the declaration is loaded when the gateway starts. */
export interface LazyDialect extends DialectDeclaration {
  /** Loads the whole dialect, when a request first needs it. Called again after a failure. */
  load(): Promise<Dialect>;
}

/**
 * Content that a provider does not accept: a kind of media, any media that is only the id of a stored file, or custom tools,
 * which it receives as functions with one text parameter.
 */
export type LackedContent = MediaPart['media'] | 'stored-file' | 'custom-tool';

/** The members of a chat's messages in which services take back the reasoning of their models. */
export type ReasoningMember = 'reasoning_content' | 'reasoning';

/** The target that a request is encoded for. */
export interface EncodeTarget {
  readonly provider: string;
  readonly strict: boolean;
  /** Parameters that the provider does not accept, by wire name. */
  readonly drop: ReadonlySet<string>;
  /** Content that the provider does not accept in this dialect. */
  readonly lacks?: ReadonlySet<LackedContent>;
  /** Whether the provider loads a file that is an address, where the dialect itself has none. */
  readonly loadsFiles?: boolean;
  /** The member in which the provider takes back reasoning as a text. */
  readonly reasoningMember?: ReasoningMember | undefined;
  /** The scope of bound values that this target made. They are written unchanged; all others are dropped. */
  readonly scope: string;
}

/** The context in which a client's request is decoded. */
export interface DecodeRequest extends RequestPath {
  /** The scope of bound values that do not name one. */
  readonly scope: string;
  /**
   * Returns what was remembered of an earlier answer, by its id, or undefined if nothing is. If absent, nothing is remembered.
   */
  recall?(id: string): JsonObject | undefined;
}

/** The context in which a provider's answer is decoded. */
export interface DecodeAnswer {
  /** The scope of bound values from this provider. */
  readonly scope: string;
  /** The model that was called, for formats whose answers do not name it. */
  readonly model?: string;
}

/** An encoded request for a provider, and what was lost. */
export interface EncodedRequest {
  /** The request body, without the parts that the path specifies. */
  readonly body: JsonObject;
  readonly headers?: RawHeaders;
  /**
   * The parts of the conversation that this dialect cannot express: `sampling.seed`, `turns[1].parts[0]`, … They are reported to
   * the client.
   */
  readonly lost: readonly string[];
  /** Changes answers to match the original request, for example calls of functions that stand for custom tools. */
  readonly answers?: AnswerEdit;
}

/** A conversation from another dialect, adapted to replace the client's. */
export interface Adopted {
  readonly conversation: Conversation;
  /** Changes answers to match the client's request. Absent if no change is needed. */
  readonly answers?: AnswerEdit;
}

/** The context in which an answer is encoded for its client. */
export interface EncodeAnswer {
  readonly provider: string;
  readonly strict: boolean;
  /** Whether the client asked for usage at the end of the stream. */
  readonly streamUsage: boolean;
  /** The id to use if the provider's answer has none. */
  readonly id?: string;
  /** The time of the answer in seconds since the epoch, if its dialect has none. */
  readonly created?: number;
  /**
   * Stores items that later requests need, each under its `id`: the items of the answer, if requests may refer to them by id
   * alone, or what clients lose of a stream.
   */
  remember?(items: readonly JsonObject[]): void;
  /** Returns the request body in the client's dialect. Absent if the answer is not one to a request. */
  request?(): JsonObject;
}

/**
 * Converts between wire format and conversation, in both directions. Laws: `decode ∘ encode` is the identity up to the declared
 * losses; folding the events of a stream gives the answer; a stream decodes to the same events wherever its chunks are split.
 */
export interface ConversationCodec {
  /** The declared losses: what this dialect cannot carry, by member of the conversation. */
  readonly losses: readonly Loss[];
  /** Throws the `GatewayError` `invalid-request`, which names the invalid member. */
  decodeRequest(wire: JsonObject, options: DecodeRequest): Conversation;
  encodeRequest(conversation: Conversation, target: EncodeTarget): EncodedRequest;
  /** Throws an `Error` that explains why the body is not an answer of this dialect. */
  decodeAnswer(wire: JsonObject, options: DecodeAnswer): Answer;
  encodeAnswer(answer: Answer, options: EncodeAnswer): JsonObject;
  streamDecoder(options: DecodeAnswer): StreamDecoder;
  streamEncoder(options: EncodeAnswer): StreamEncoder;
}

/** The part of a codec that decodes and encodes answers. */
export type AnswerCodec = Pick<ConversationCodec, 'decodeAnswer' | 'encodeAnswer' | 'streamDecoder' | 'streamEncoder'>;

/** The part of a codec that is needed to serve clients. */
export type ConversationClientCodec = Omit<ConversationCodec, 'encodeRequest'>;

/** Decodes and encodes requests to count the tokens of a conversation, and their answers. */
export interface CountCodec extends Pick<ConversationCodec, 'decodeRequest' | 'encodeRequest'> {
  /**
   * Whether a body names its model in addition to the path. It is then decoded and encoded again, so that both name the model
   * that is called. If absent, no body does.
   */
  namesModelAgain?(wire: JsonObject): boolean;
  /** Returns the number of tokens. Throws an `Error` that explains why the body is not an answer. */
  decodeAnswer(wire: JsonObject): number;
  encodeAnswer(tokens: number): JsonObject;
}

/** Part of a request or an answer that a dialect cannot express. */
export interface Loss {
  /** A member of `Conversation` or `Answer`: `sampling.seed`, `turns.parts.reasoning`. */
  readonly member: string;
  readonly why: string;
}

/** Decodes the frames of a stream into events. */
export interface StreamDecoder {
  push(frame: Frame): readonly AnswerEvent[];
  /** Called when the bytes have ended. Returns an `error` event if the answer was not complete. */
  end(): readonly AnswerEvent[];
}

/** Encodes events into the frames to send, of which there may be none. */
export interface StreamEncoder {
  push(event: AnswerEvent): readonly Frame[];
  /** Called when the stream failed. Returns an error event, never a regular end. */
  fail(report: ErrorReport): readonly Frame[];
  end(): readonly Frame[];
}

/** Returns the dialect unchanged, with its type checked. */
export const defineDialect = (dialect: Dialect): Dialect => dialect;
