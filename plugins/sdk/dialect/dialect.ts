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
 * The class of a stream's frame, found cheaply without decoding all of it. `preamble`: the answer has not begun;
 * `content`: it has begun; `usage`: only token counts; `error`: the provider failed; `end`: the answer is complete.
 */
export type FrameClass = 'preamble' | 'content' | 'usage' | 'error' | 'end';

/** The declaration of a dialect, which the gateway reads before a request uses it. */
export interface DialectDeclaration {
  readonly id: string;
  readonly operation: Exclude<Operation, 'opaque'>;
  /** The endpoints of its clients; without any, it is only spoken to providers. */
  readonly routes?: readonly ClientRoute[];
  /**
   * Further paths of its API, which the gateway does not model: `/v2/summarize` beside `/v2/chat`. They are found like those of
   * `routes`, with any method, and passed through, but only to providers that speak this dialect.
   */
  readonly siblings?: readonly ClientRoute['path'][];
  /**
   * Where the rest of its API is for clients whose base URL is the gateway's root: `/v2`, `/model/{model}/invoke`. What is there,
   * or below such a path without a model, is passed through like siblings, but not found below `/v1`.
   */
  readonly roots?: readonly ClientRoute['path'][];
  readonly clientCredentials?: ClientCredentials;
  /**
   * Whether a provider that neither speaks this format nor another one of its operation gets its requests as they came, at the
   * same path: what the provider has there is not known. Absent: its requests are refused.
   */
  readonly passesThrough?: true;
  /** The framing of its streams; `sse` if absent. */
  readonly framing?: FramingId;
  /** An error answer's body in this dialect, JSON. */
  encodeError(report: ErrorReport): JsonObject;
  readonly models?: ModelList;
  /** The lists of models that the clients of further services expect, whose requests have this dialect's form. */
  readonly furtherModels?: readonly ModelList[];
}

/** See `Dialect.relays`. */
export interface RelayedAnswers {
  /** The types that answers may have, in lower case. */
  readonly types: RegExp;
  /** Whether an answer may be JSON too. */
  readonly orJson: boolean;
}

/** A wire format. Every dialect can write errors and classify its own streams; one with conversations can also translate. */
export interface Dialect extends DialectDeclaration {
  /**
   * Lays parameters with the neutral names of configs (`model`, `temperature`, `max_tokens`, …) on a body, where this
   * dialect has them; unknown ones at the top level. A format for counting leaves out what changes no count. Absent: every
   * name stands at the top level as it is. `model` and `stream` that a path says are handled by the gateway.
   */
  place?(params: JsonObject, body: JsonObject): JsonObject;
  /**
   * Parameters with the neutral names of configs as the members that this dialect has for them, where all stand at the top
   * level, for a body that may have others. Absent: the names are its own. Without effect beside `place`.
   */
  ownParams?(params: JsonObject, body: JsonObject): JsonObject;
  /** Names a model in a body which repeats the one that the path names. Absent: bodies do not, where the path does. */
  withModel?(body: JsonObject, model: string): JsonObject;
  classify(frame: Frame): FrameClass;
  /**
   * The frames that `classify` calls `end`. Where a body ends without the border after its last frame, one of these is
   * whole if its data is, and `[DONE]` is in every dialect; any other was torn. Absent: each that is no content, unless it
   * begins as JSON and is none.
   */
  readonly endFrames?: readonly EndFrame[];
  /**
   * For a format whose streams may end with the last of several choices: such a stream was torn where fewer of them have
   * finished than its request asks for. Absent: the last end frame ends all of them.
   */
  readonly choicesAsked?: ChoicesAsked;
  /**
   * A text, or several of which one occurs in every frame that `classify` calls `error`: once an answer has begun, bytes
   * without it are passed on unread. Absent: every frame is classified.
   */
  readonly errorMark?: string | readonly string[];
  /**
   * Whether clients of this format take a frame that `classify` calls `error` for a part of the answer: the gateway's own event
   * is sent in its place. Absent: they know each of them for an error.
   */
  hidesError?(frame: Frame): boolean;
  /**
   * Members that only this gateway writes into answers, such as a bound value that names who made it, and that are
   * never sent to a provider. One of these texts occurs in each request that brings such a thing back: it is decoded
   * and encoded even for a provider of this dialect, while all other requests are sent as they are. Each begins with
   * the quote of a JSON string. Absent: `"gw1.`, with which a bound value begins.
   */
  readonly gatewayMarks?: readonly string[];
  /**
   * By kind of content, a text that occurs in every request which has it. Within one dialect, only requests with the text
   * of what the provider lacks are read. Absent: none is.
   */
  readonly contentMarks?: Readonly<Partial<Record<LackedContent, string>>>;
  /**
   * Completes the answers of a provider that leaves something out which clients of this dialect need. Absent: nothing is known
   * to be left out.
   */
  completion?(leftOut: readonly LeftOut[]): AnswerEdit;
  /** An error inside a stream; the stream ends after it. */
  encodeStreamError(report: ErrorReport): Frame;
  /**
   * Successful answers that are no JSON, such as sounds: they are passed on as they arrive, and no check can read them. Absent: all
   * are JSON.
   */
  readonly relays?: RelayedAnswers;
  /** Reads an error answer; a body that is not its JSON becomes the message. */
  decodeError(status: number, body: string, headers?: RawHeaders): WireError;
  /**
   * After how many whole seconds the body of an error answer says that the request may be sent again: the header
   * `retry-after` of an answer that has none. Absent: bodies do not say it.
   */
  retryAfter?(body: string): number | undefined;
  /** A provider's error from another dialect, written in this one. */
  encodeWireError(error: WireError, status: number): JsonObject;
  /** The error inside a stream's frame that `classify` called `error`. */
  decodeStreamError(frame: Frame): WireError;
  /**
   * The texts that checks judge. In the input phase: of every turn after the last assistant turn that a user or tool turn
   * follows, or of all turns. In the output phase: of every choice. Members that the format does not document are judged in
   * both, unless `how` says otherwise. Undefined for a body that is not of this dialect, for one that says something, but
   * has no text at all: only an image, or the ids of tokens; and for one with something in it that cannot be read as text.
   * Checks that may deny then deny it. Absent: its bodies have no text to judge, or, if it has conversations, none that
   * can be read.
   */
  texts?(body: JsonObject, phase: CheckPhase, how?: TextReading): readonly TextSpan[] | undefined;
  /**
   * The texts of a request that input checks do not judge: its instructions, and the turns before the judged ones. Checks
   * that replace texts do so there as well. Absent: there are none.
   */
  earlierTexts?(body: JsonObject, how?: TextReading): readonly TextSpan[];
  /**
   * The texts of a stream's frame: those that the events of its decoder do not report, such as those of members that the
   * format does not document, and those that they should report. Undefined if something in it cannot be read as text. Absent:
   * events report all that frames say.
   */
  frameTexts?(frame: Frame, unknown?: TextReading['unknown']): FrameTexts | undefined;
  /** The members of its bodies, for tests that visit every one: `texts` and `frameTexts` read by these tables. */
  readonly members?: DialectMembers;
  /**
   * The token counts of a whole answer, or of a frame's data; undefined where there are none. `before` is what earlier
   * frames of the stream said, for a format in which one frame has the counts of the input and another those of the output.
   */
  usage?(wire: JsonObject, before?: Usage): Usage | undefined;
  /**
   * Why the choices of a whole answer have ended, or those of a frame's data, in the provider's words; those that go on are left
   * out. Of a stream, it is asked of the frames that are read for their token counts alone.
   */
  finishReasons?(wire: JsonObject): readonly string[];
  /** The model that answered, as a whole answer or a frame's data names it. */
  answeredBy?(wire: JsonObject): string | undefined;
  /**
   * All that `usage`, `finishReasons` and `answeredBy` read of an answer: of a long one that is passed on as it is, nothing
   * else is made. A value of another form than the selection says counts as absent for them. Absent: all of it is.
   */
  readonly metered?: MemberSelection;
  /** How streams report token counts. Absent: every frame is read, and what a stream without counts said is not counted. */
  readonly streamUsage?: StreamUsage;
  /**
   * Whether its answers must have token counts: streams at their end, or at their start as well. An answer that is translated
   * has the gateway's estimate of those that its provider does not report. Absent: they may be left out.
   */
  readonly usageRequired?: 'at-end' | 'at-start';
  /** Absent: a request of this dialect cannot say what a provider may cache of it. */
  readonly cacheHints?: CacheHints;
  readonly conversation?: ConversationCodec;
  /**
   * A conversation from another dialect as services of this one accept it, where that loses nothing: with other names of
   * functions, another id of the end user, or a word that they want. Absent: they accept each that can be written.
   */
  adopt?(conversation: Conversation): Adopted;
  /** Of one without conversations whose clients' requests become conversations at providers that do not speak it. */
  readonly conversationClient?: ConversationClientCodec;
  /** Of a format for counting the tokens of conversations. */
  readonly count?: CountCodec;
  /** Of a format for an operation that is no conversation, such as embeddings, into which requests are translated. */
  readonly providerCodecs?: ProviderCodecs;
  /** Of one whose clients' requests are translated to others. */
  readonly clientCodecs?: ClientCodecs;
  /**
   * Writes a request of its clients for a provider that follows this format in a form of its own (`Provider.embeddings`), with
   * what that cannot express. Absent: there are no such forms.
   */
  inForm?(body: JsonObject, form: EmbeddingForm): { readonly body: JsonObject; readonly lost: readonly string[] };
  /** How requests are split where a provider takes only so many texts in one (`Provider.maxTexts`). Absent: they are not. */
  readonly split?: ListSplit;
  /**
   * The members of which every answer has one, for a dialect whose answers no codec reads: a body without them is not kept for
   * others. Absent: nothing is known of its answers.
   */
  readonly answerMembers?: readonly string[];
  /** Both directions of answers, for a dialect without conversations: without either, no stage can see its streams. */
  readonly answers?: AnswerCodec;
  /** Whether a client is given the texts of a choice, and those of its reasoning, as one, whatever came between them. */
  readonly joinsTexts?: true;
  /** How later requests name items of translated answers by their ids alone. Absent: none may. */
  readonly itemNaming?: ItemNaming;
  /**
   * Whether clients lose bound values at the ends of its streams. The gateway remembers them for their maker, where answers are
   * translated.
   */
  readonly losesEndings?: true;
  /**
   * The texts of a frame that its events do not report, because earlier frames have said them: a closing frame may repeat
   * the whole answer. A frame that says something else there does not go to the client as received.
   */
  repeats?(frame: Frame): readonly string[];
  /**
   * Whether a frame belongs to no part of the answer, as a ping or the status of the whole: it may go to the client before
   * what is held back. Absent: none does.
   */
  standsAlone?(frame: Frame): boolean;
}

/** A dialect of which only the declaration is there when the gateway starts. */
export interface LazyDialect extends DialectDeclaration {
  /** Gives the whole dialect, when a request first needs it. After a failure it is asked again. */
  load(): Promise<Dialect>;
}

/**
 * Content that a provider does not accept: a kind of media, any media that is only the id of a stored file, or custom tools,
 * which it gets as functions with one text.
 */
export type LackedContent = MediaPart['media'] | 'stored-file' | 'custom-tool';

/** The target that a request is written for. */
export interface EncodeTarget {
  readonly provider: string;
  readonly strict: boolean;
  /** Parameters that the provider does not accept, by wire name. */
  readonly drop: ReadonlySet<string>;
  /** Content that the provider does not accept in this dialect. */
  readonly lacks?: ReadonlySet<LackedContent>;
  /** The scope of bound values that this target made: they are written as they were, and all others are dropped. */
  readonly scope: string;
}

/** The facts by which the request of a client is decoded. */
export interface DecodeRequest extends RequestPath {
  /** The scope of bound values that name none. */
  readonly scope: string;
  /**
   * Finds what was remembered of an earlier answer, by its id; undefined if nobody remembers it. Absent: nothing is
   * remembered.
   */
  recall?(id: string): JsonObject | undefined;
}

/** The facts by which the answer of a provider is decoded. */
export interface DecodeAnswer {
  /** The scope of the bound values that this provider makes. */
  readonly scope: string;
  /** The model that was called, for a format whose answers do not name it. */
  readonly model?: string;
}

/** A request as a provider gets it, and what of it was lost. */
export interface EncodedRequest {
  /** Without what the path says. */
  readonly body: JsonObject;
  readonly headers?: RawHeaders;
  /**
   * The parts of the conversation that this dialect cannot express, which are reported to the client: `sampling.seed`,
   * `turns[1].parts[0]`, …
   */
  readonly lost: readonly string[];
  /** How its answers become those to what was asked, such as calls of functions that stand for custom tools. */
  readonly answers?: AnswerEdit;
}

/** A conversation from another dialect, as it is written in place of the client's. */
export interface Adopted {
  readonly conversation: Conversation;
  /** How answers become those to what the client asked. Absent: they are. */
  readonly answers?: AnswerEdit;
}

/** The facts by which an answer is encoded for its client. */
export interface EncodeAnswer {
  readonly provider: string;
  readonly strict: boolean;
  /** The client asked for usage at the stream's end. */
  readonly streamUsage: boolean;
  /** The id of an answer whose provider gives none. */
  readonly id?: string;
  /** Seconds since the epoch, for an answer whose dialect has no time. */
  readonly created?: number;
  /**
   * Takes what later requests are completed by, each under its `id`: the items of the answer, if they may name these by their
   * ids alone, or what clients lose of a stream.
   */
  remember?(items: readonly JsonObject[]): void;
  /** The body of the request, in the client's dialect; absent where no dialect needs it. */
  request?(): JsonObject;
}

/**
 * Wire format ⇄ conversation, both directions. Laws: `decode ∘ encode` is the identity up to the declared losses;
 * folding a stream's events gives the answer; a stream decodes alike at any chunk border.
 */
export interface ConversationCodec {
  /** The declared losses: what this dialect cannot carry, with the member of the conversation. */
  readonly losses: readonly Loss[];
  /** Throws the `GatewayError` `invalid-request`, which names the invalid member. */
  decodeRequest(wire: JsonObject, options: DecodeRequest): Conversation;
  encodeRequest(conversation: Conversation, target: EncodeTarget): EncodedRequest;
  /** Throws an `Error` that says why the body is not an answer of this dialect. */
  decodeAnswer(wire: JsonObject, options: DecodeAnswer): Answer;
  encodeAnswer(answer: Answer, options: EncodeAnswer): JsonObject;
  streamDecoder(options: DecodeAnswer): StreamDecoder;
  streamEncoder(options: EncodeAnswer): StreamEncoder;
}

/** The part of a codec that reads and writes answers. */
export type AnswerCodec = Pick<ConversationCodec, 'decodeAnswer' | 'encodeAnswer' | 'streamDecoder' | 'streamEncoder'>;

/** The part of a codec by which clients are served. */
export type ConversationClientCodec = Omit<ConversationCodec, 'encodeRequest'>;

/** Reads and writes what counts the tokens of a conversation, instead of answering it. */
export interface CountCodec extends Pick<ConversationCodec, 'decodeRequest' | 'encodeRequest'> {
  /**
   * Whether a body names its model beside the path. It is then decoded and encoded again, so that both name the model that
   * is called. Absent: none does.
   */
  namesModelAgain?(wire: JsonObject): boolean;
  /** Gives the tokens. Throws an `Error` that says why the body is not an answer. */
  decodeAnswer(wire: JsonObject): number;
  encodeAnswer(tokens: number): JsonObject;
}

/** A part of a request or an answer that a dialect cannot express. */
export interface Loss {
  /** A member of `Conversation` or `Answer`: `sampling.seed`, `turns.parts.reasoning`. */
  readonly member: string;
  readonly why: string;
}

/** Reads the frames of a stream into events. */
export interface StreamDecoder {
  push(frame: Frame): readonly AnswerEvent[];
  /** The bytes ended; gives an `error` event if the answer was not complete. */
  end(): readonly AnswerEvent[];
}

/** Gives the frames to send; there may be none. */
export interface StreamEncoder {
  push(event: AnswerEvent): readonly Frame[];
  /** The stream failed: returns an error event, never a clean end. */
  fail(report: ErrorReport): readonly Frame[];
  end(): readonly Frame[];
}

/** Returns the dialect unchanged, with its type checked. */
export const defineDialect = (dialect: Dialect): Dialect => dialect;
