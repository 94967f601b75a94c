import type { ErrorCode, ErrorReport } from '../../../schema/errors/errors.ts';
import type { Origin } from '../../../schema/http/status.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';

/** Header lines as received: name, value, name, value, … in order, each name in its original case. */
export type RawHeaders = readonly string[];

/** Returns the first value of a header. `name` is in lower case. */
export const headerValue = (headers: RawHeaders, name: string): string | undefined => {
  for (let at = 0; at < headers.length; at += 2) {
    const candidate = headers[at];
    if (candidate !== undefined && candidate.length === name.length && candidate.toLowerCase() === name)
      return headers[at + 1];
  }
  return undefined;
};

/** Bytes as they arrive, to be read once: a Node `Readable`, or an object with the same members. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Whether reading has started. */
  readonly readableDidRead: boolean;
  /** Whether it will yield nothing more. */
  readonly destroyed: boolean;
}

/** A form of the type multipart/form-data (RFC 7578) that was read completely and can be sent any number of times. */
export interface SendableForm {
  /** The content type, with the boundary. */
  readonly contentType: string;
  /** The length of the whole form in bytes. */
  readonly length: number;
  /**
   * The fields of the form: texts by name; lists for names that end in `[]`, which is removed here; `stream` as a boolean; and
   * files as `{ file }` with their file names.
   */
  readonly fields: JsonObject;
  /** Returns the same form with other fields. Files and unchanged fields are sent as they were received. */
  withFields(fields: JsonObject): SendableForm;
  /** Returns all bytes of the form, from the beginning. */
  open(): ByteStream;
}

/** The body of a request. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'form'; readonly form: SendableForm }
  | { readonly kind: 'stream'; readonly stream: ByteStream };

/** The destination of a body's bytes: a socket, a web response, or a recorder. */
export interface Sink {
  /** Returns false if the sink is full; write again after `onDrain`. */
  write(chunk: Uint8Array): boolean;
  /** Calls `resume` once, when a full sink has room again. */
  onDrain(resume: () => void): void;
  /**
   * Adds a trailer field, before the end. Has no effect if the transfer cannot have one or the client does not accept it. Absent:
   * the sink supports no trailers.
   */
  trailer?(name: string, value: string): void;
  end(): void;
  /**
   * The body failed and no error can be sent in band. The transfer is aborted, so that the client does not take it for complete.
   */
  fail(error: ErrorReport): void;
}

/** How a streamed body ended: complete, failed at the upstream, or cut short because the client disconnected. */
export type StreamEnd = 'complete' | 'failed' | 'left';

/** A body that is sent as it arrives. Exactly one of `start` and `discard` must be called, once. */
export interface StreamBody {
  readonly kind: 'stream';
  start(sink: Sink): void;
  discard(): void;
  /** Calls `listener` once when the body ends, or immediately if it has ended already. */
  onEnd(listener: (end: StreamEnd) => void): void;
}

/** A body that is available as a whole. */
export interface BytesBody {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
}

/** The body of an answer: whole, or a stream. */
export type ResponseBody = BytesBody | StreamBody;

/** The value of `x-gw-cache-status`. */
export type CacheStatus = 'HIT' | 'SEMANTIC HIT' | 'MISS' | 'SEMANTIC MISS' | 'REFRESH' | 'DISABLED';

/** The provider and the credential that produced an answer which is stored. */
export interface AnswerMaker {
  /** The saved provider or virtual key. Absent if the target is neither. */
  readonly slug?: string;
  /** The scope of bound values in the answer that do not name one: the `<scope>` of `gw1.<scope>.<value>`. */
  readonly scope: string;
  /**
   * Identifies the account of the key that the request was sent with. Absent if the target does not have keys of several
   * accounts.
   */
  readonly account?: string;
}

/** The facts that the answer headers report about the leaf that answered. */
export interface LeafReport {
  readonly path: JsonPointer;
  readonly provider: string;
  /** 0: none. n: after n retries. -1: all retries were used, or the wait would have been too long. */
  readonly retries: number;
  readonly cache: CacheStatus;
  /** Present only if the request needs it. */
  readonly maker?: AnswerMaker;
}

/** A stream that broke after its first content. */
export interface BrokenStream {
  readonly error: ErrorReport;
  /** The bytes that the client receives if nothing takes over: the error event, and what follows it. */
  readonly last: Uint8Array;
}

/** Lets another branch take over a stream that breaks. */
export interface StreamHandover {
  /**
   * Called once, instead of sending `last`. Returns true if the stream continues or the function itself sends `last`. Absent:
   * nothing takes over.
   */
  take?: ((broken: BrokenStream) => boolean) | undefined;
  /** The name of the trailer field that reports where the stream continued. */
  readonly trailer: string;
}

/** An answer as strategies and stages see it. It must be started or discarded exactly once. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly origin: Origin;
  /** The error code, if this is an error of the gateway itself. */
  readonly cause?: ErrorCode;
  /** The limit, host, header or config that the error is about, for logs. Absent if the code is specific enough. */
  readonly about?: string;
  /** How to fix the error, for logs. Absent if the hint in the error table applies. */
  readonly loggedHint?: string;
  readonly body: ResponseBody;
  readonly leaf?: LeafReport;
  /** Present only for a stream that a fallback may continue elsewhere. */
  readonly handover?: StreamHandover;
  /**
   * The answer concerns only the key that was used, and other keys of the target still work, so it does not count against the
   * upstream.
   */
  readonly isOfKey?: true;
  /** Takes the client's bytes. Present only for an opened session, whose status is 101. */
  readonly toUpstream?: Sink;
  /** The usage of the answer. Present only for a whole answer whose request asks for it. */
  readonly usage?: UsageRecord;
  /**
   * Returns the usage of the attempts for the answer that have ended by then, including those that failed. Present only if a
   * dispatched request asks for it.
   */
  readonly usages?: () => readonly UsageRecord[];
  /** The upstream failure that this cached answer replaces. */
  readonly standsInFor?: GatewayResponse;
}

/** An answer from an upstream, or a failure to get one. */
export type UpstreamOutcome = GatewayResponse & {
  readonly origin: Extract<Origin, 'upstream' | 'network' | 'timeout'>;
};

/** Causes that do not concern the upstream: the gateway had no room for the request, or its deadline had passed. */
const notOfUpstream: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>(['pool-full', 'deadline-exceeded']);

const speaksOfUpstream = (answer: GatewayResponse): answer is UpstreamOutcome => {
  const { origin, cause, isOfKey } = answer;
  if (isOfKey === true) return false;
  return (origin === 'upstream' || origin === 'network' || origin === 'timeout') && !notOfUpstream.has(cause);
};

/**
 * Returns what an answer reveals about its upstream, that is, whether it works and how fast: the answer itself, or the failure
 * that it replaces. Returns undefined if the answer did not come from an upstream.
 */
export const upstreamOutcome = (answer: GatewayResponse): UpstreamOutcome | undefined => {
  const asked = answer.standsInFor ?? answer;
  return speaksOfUpstream(asked) ? asked : undefined;
};

/** A request to an upstream, ready to be sent. */
export interface UpstreamRequest {
  readonly method: string;
  /** `https://host[:port]`. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: RawHeaders;
  readonly body: RequestBody;
  /** Whether it goes to the storage of the provider's cloud instead of the service that runs models. */
  readonly isStorage?: true;
  /** Whether it is the handshake of a WebSocket (RFC 6455 §4.1). */
  readonly opensSocket?: true;
}

/** The head of an upstream's answer, whose body is still to come, or why there is none. */
export type UpstreamAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: RawHeaders;
      readonly body: UpstreamBody;
      /** Takes what follows the request. Present only if the upstream has opened a WebSocket. */
      readonly toUpstream?: Sink;
    }
  | UpstreamFailure;

/** An error of the gateway in place of a provider's answer. */
export interface UpstreamFailure {
  readonly kind: 'failure';
  readonly error: ErrorReport;
}

/**
 * The bytes of an upstream's answer. Exactly one of the three methods must be called, once; only `discard` may also follow
 * `start`.
 */
export interface UpstreamBody {
  /**
   * Returns the whole body. Returns a failure if it breaks off, is larger than `limit` bytes, or if `take`, which reserves memory
   * for received bytes, returns false. Returns a promise only if more bytes are to come.
   */
  collect(
    limit: number,
    take?: (bytes: number) => boolean,
  ): Uint8Array | UpstreamFailure | Promise<Uint8Array | UpstreamFailure>;
  /** Forwards the bytes as they arrive. Calls `sink.fail` if they break off. */
  start(sink: Sink): void;
  /** Stops the transfer. Later calls of the sink are ignored. */
  discard(): void;
}

/** A destination of requests: a connection pool, or a provider that answers in process. */
export interface Upstream {
  send(request: UpstreamRequest, scope: Scope): Promise<UpstreamAnswer>;
}

/** Measures how long a request waits for others. Overlapping waits count once. */
export interface Waits {
  /** Starts a wait, which lasts until the returned function is first called. */
  begin(): () => void;
  /** How long it has waited so far, in milliseconds. */
  readonly ms: number;
}

/** A lightweight `AbortSignal`. Cancelled if the client disconnected or a time-out fired. */
export interface Cancellation {
  readonly cancelled: boolean;
  /** Measures how long the request waits for operations that use this cancellation. Absent if nothing is measured. */
  readonly waits?: Waits | undefined;
  /**
   * Reserves memory, until the request ends, for bytes that are received for it. Returns false if there is not enough. Absent if
   * memory is not counted.
   */
  readonly takeMemory?: ((bytes: number) => boolean) | undefined;
  /** Why the gateway ended the request. Absent if the client disconnected. */
  readonly cause?: ErrorReport | undefined;
  /** Calls `listener` on cancellation, or immediately if already cancelled. Returns a function that removes the listener. */
  onCancel(listener: () => void): () => void;
}

/** One attempt: what cancels it, and its number in its leaf, starting at 1. */
export interface Scope {
  readonly cancellation: Cancellation;
  readonly attempt: number;
  /** The tenant that the request belongs to; connections are only shared within a tenant. Absent if it belongs to none. */
  readonly tenant?: string | undefined;
  /**
   * Called by an upstream when it starts to write the request to a connection. From then on, the provider may charge for the
   * request, whether or not it answers. For providers that answer in process, the gateway calls it.
   */
  written?(): void;
}
