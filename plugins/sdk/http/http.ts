import type { ErrorCode, ErrorReport } from '../../../schema/errors/errors.ts';
import type { Origin } from '../../../schema/http/status.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';

/** Header lines as received: name, value, name, value, … in order, each name in its original spelling. */
export type RawHeaders = readonly string[];

/** The first value of a header; `name` in lower case. */
export const headerValue = (headers: RawHeaders, name: string): string | undefined => {
  for (let at = 0; at < headers.length; at += 2) {
    const candidate = headers[at];
    if (candidate !== undefined && candidate.length === name.length && candidate.toLowerCase() === name)
      return headers[at + 1];
  }
  return undefined;
};

/** Bytes as they arrive, to be read once: a Node `Readable`, or an object with the same few members. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Whether reading has begun. */
  readonly readableDidRead: boolean;
  /** Whether it will yield nothing more. */
  readonly destroyed: boolean;
}

/** A form of the type multipart/form-data (RFC 7578) that was read whole, and can be sent any number of times. */
export interface SendableForm {
  /** With its boundary. */
  readonly contentType: string;
  /** The bytes of the whole form. */
  readonly length: number;
  /**
   * Its fields: texts by their names, lists for names that end with `[]`, which they have without it here, `stream` as a
   * boolean, and files as `{ file }` with their names.
   */
  readonly fields: JsonObject;
  /** The same form with other fields. Its files, and the fields that are the same, are sent as they were received. */
  withFields(fields: JsonObject): SendableForm;
  /** All of its bytes, from the beginning. */
  open(): ByteStream;
}

/** The body of a request. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'form'; readonly form: SendableForm }
  | { readonly kind: 'stream'; readonly stream: ByteStream };

/** Where a body's bytes go: a socket, a web response, a recorder. */
export interface Sink {
  /** Returns false if the sink is full: write again after `onDrain`. */
  write(chunk: Uint8Array): boolean;
  /** Calls back once, when a full sink has room again. */
  onDrain(resume: () => void): void;
  /** Adds a trailer field, before the end, where the transfer can have one and its client takes it. Absent: it cannot. */
  trailer?(name: string, value: string): void;
  end(): void;
  /** The body failed, and no error can be sent in band: the transfer is aborted, so that it is not taken for complete. */
  fail(error: ErrorReport): void;
}

/** How a streamed body ended: complete, failed at the upstream, or left by the client. */
export type StreamEnd = 'complete' | 'failed' | 'left';

/** A body that is sent as it arrives. Exactly one of `start` and `discard` is called, once. */
export interface StreamBody {
  readonly kind: 'stream';
  start(sink: Sink): void;
  discard(): void;
  /** Calls back once, at the end; at once if it has ended. */
  onEnd(listener: (end: StreamEnd) => void): void;
}

/** A body that is there as a whole. */
export interface BytesBody {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
}

/** The body of an answer: whole, or a stream. */
export type ResponseBody = BytesBody | StreamBody;

/** `x-gw-cache-status`. */
export type CacheStatus = 'HIT' | 'SEMANTIC HIT' | 'MISS' | 'SEMANTIC MISS' | 'REFRESH' | 'DISABLED';

/** The provider and credential that answered, for a request whose answer is stored. */
export interface AnswerMaker {
  /** The saved provider or virtual key; absent where the target is none. */
  readonly slug?: string;
  /** The scope of bound values that the answer has without one, as `gw1.<scope>.<value>` names it. */
  readonly scope: string;
  /** Stands for the account of the key that it was asked with; absent where a target has no keys of several accounts. */
  readonly account?: string;
}

/** The values that the answer headers report about the leaf that answered. */
export interface LeafReport {
  readonly path: JsonPointer;
  readonly provider: string;
  /** 0: none; n: after n retries; -1: retries used up, or the wait was too long. */
  readonly retries: number;
  readonly cache: CacheStatus;
  /** Only where the request asks for it. */
  readonly maker?: AnswerMaker;
}

/** A stream that broke after its first content. */
export interface BrokenStream {
  readonly error: ErrorReport;
  /** The bytes for its client if nobody goes on: the error event, and what comes after it. */
  readonly last: Uint8Array;
}

/** By which a stream that breaks is taken over. */
export interface StreamHandover {
  /** Asked once, in place of sending `last`: true if the stream goes on, or whoever is asked sends it. Absent: nobody goes on. */
  take?: ((broken: BrokenStream) => boolean) | undefined;
  /** The name of the trailer field that says where it went on. */
  readonly trailer: string;
}

/** The answer as strategies and stages see it. Started or discarded exactly once. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly origin: Origin;
  /** The code if this is an error of the gateway itself. */
  readonly cause?: ErrorCode;
  /** The limit, host, header or config that the error is about, for logs; absent where its code says enough. */
  readonly about?: string;
  /** Says what to do about the error, for logs; absent where the row of its code says it. */
  readonly loggedHint?: string;
  readonly body: ResponseBody;
  readonly leaf?: LeafReport;
  /** Only of a stream, where a fallback may go on with it elsewhere. */
  readonly handover?: StreamHandover;
  /** It is about the key that it was asked with, and other keys of the target are able: it says nothing of the upstream. */
  readonly isOfKey?: true;
  /** The usage of the answer; only of a whole answer whose request asks for it. */
  readonly usage?: UsageRecord;
  /** The failure of the upstream in whose place an answer of a cache is. */
  readonly standsInFor?: GatewayResponse;
}

/** An answer of an upstream, or the lack of one. */
export type UpstreamOutcome = GatewayResponse & {
  readonly origin: Extract<Origin, 'upstream' | 'network' | 'timeout'>;
};

/** Causes by which the gateway had no place for a request, or its client had no time. */
const notOfUpstream: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>(['pool-full', 'deadline-exceeded']);

const speaksOfUpstream = (answer: GatewayResponse): answer is UpstreamOutcome => {
  const { origin, cause, isOfKey } = answer;
  if (isOfKey === true) return false;
  return (origin === 'upstream' || origin === 'network' || origin === 'timeout') && !notOfUpstream.has(cause);
};

/**
 * The part of an answer that says something of its upstream: whether that works, and how fast. It is the answer itself, or the failure
 * that it stands in for; one from elsewhere says nothing.
 */
export const upstreamOutcome = (answer: GatewayResponse): UpstreamOutcome | undefined => {
  const asked = answer.standsInFor ?? answer;
  return speaksOfUpstream(asked) ? asked : undefined;
};

/** One request to an upstream, ready to be sent. */
export interface UpstreamRequest {
  readonly method: string;
  /** `https://host[:port]`. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: RawHeaders;
  readonly body: RequestBody;
  /** Whether it goes to the storage of the provider's cloud, and not to the service that runs models. */
  readonly isStorage?: true;
}

/** The head of an upstream's answer, with its body to come, or why there is none. */
export type UpstreamAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: RawHeaders; readonly body: UpstreamBody }
  | UpstreamFailure;

/** An error of the gateway in place of the answer of a provider. */
export interface UpstreamFailure {
  readonly kind: 'failure';
  readonly error: ErrorReport;
}

/** The bytes of an upstream's answer. Exactly one of the three is called, once; only `discard` may also follow `start`. */
export interface UpstreamBody {
  /**
   * The whole body; a failure if it breaks off, is larger than `limit` bytes, or if `take`, which reserves memory for bytes
   * that arrived, returns false. A promise only if more is to come.
   */
  collect(
    limit: number,
    take?: (bytes: number) => boolean,
  ): Uint8Array | UpstreamFailure | Promise<Uint8Array | UpstreamFailure>;
  /** Passes the bytes on as they arrive; calls `sink.fail` if they break off. */
  start(sink: Sink): void;
  /** Stops the transfer: later calls of a sink are ignored. */
  discard(): void;
}

/** A destination for requests: a connection pool, or a provider that answers in process. */
export interface Upstream {
  send(request: UpstreamRequest, scope: Scope): Promise<UpstreamAnswer>;
}

/** Measures for how long a request waits for others. Waits at the same time count once. */
export interface Waits {
  /** It waits, until the first call of the function that this returns. */
  begin(): () => void;
  /** Milliseconds that it has waited so far. */
  readonly ms: number;
}

/** A lightweight `AbortSignal`: cancelled if the client left or a time-out fired. */
export interface Cancellation {
  readonly cancelled: boolean;
  /** Measures how long the request waits for what is cancelled with this; absent where nothing measures. */
  readonly waits?: Waits | undefined;
  /**
   * Reserves memory for bytes that are received for the request, until it is over; false if there is none. Absent where
   * nothing counts them.
   */
  readonly takeMemory?: ((bytes: number) => boolean) | undefined;
  /** Why, where it is the gateway that ends the request; absent if its client has left. */
  readonly cause?: ErrorReport | undefined;
  /** Calls back at once if it is already cancelled. Returns a function that removes the listener. */
  onCancel(listener: () => void): () => void;
}

/** One attempt: what ends it early, and its number in its leaf, from 1. */
export interface Scope {
  readonly cancellation: Cancellation;
  readonly attempt: number;
  /** The tenant whose request it is, with whose others it shares connections; absent where it is nobody's. */
  readonly tenant?: string | undefined;
  /**
   * Called by an upstream when it begins to write the request to a connection: from then on the provider may charge for it,
   * whether or not it answers. For upstreams of providers that answer in process, the gateway does it.
   */
  written?(): void;
}
