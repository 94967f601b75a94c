import type { ErrorCode, ErrorReport } from '../../schema/errors.ts';
import type { JsonPointer } from '../../schema/pointer.ts';
import type { Origin } from '../../schema/status.ts';

/** Header lines as they are on the wire: name, value, name, value, … in order, each name in its own spelling. */
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

/** Bytes as they arrive, to be read once: a Node `Readable`, or what has the same few members. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Somebody has begun to read it. */
  readonly readableDidRead: boolean;
  /** Nothing more will come of it. */
  readonly destroyed: boolean;
}

/** A body on its way in. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly stream: ByteStream };

/** Where a body's bytes go: a socket, a web response, a recorder. */
export interface Sink {
  /** False: the sink is full, write again after `onDrain`. */
  write(chunk: Uint8Array): boolean;
  /** Calls back once, when a full sink has room again. */
  onDrain(resume: () => void): void;
  end(): void;
  /** The body broke where no error can be told in band: the transfer is torn off, so that nobody takes it for whole. */
  fail(error: ErrorReport): void;
}

/** How a streamed body ended: whole, broken by the upstream, or left by the client. */
export type StreamEnd = 'complete' | 'failed' | 'left';

/** A body that is sent while it arrives. Exactly one of `start` and `discard` is called, once. */
export interface StreamBody {
  readonly kind: 'stream';
  start(sink: Sink): void;
  discard(): void;
  /** Calls back once, at the end; at once if it has ended. */
  onEnd(listener: (end: StreamEnd) => void): void;
}

export interface BytesBody {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
}

export type ResponseBody = BytesBody | StreamBody;

/** `x-gw-cache-status`. */
export type CacheStatus = 'HIT' | 'SEMANTIC HIT' | 'MISS' | 'SEMANTIC MISS' | 'REFRESH' | 'DISABLED';

/** What the answer headers say of the leaf that answered. */
export interface LeafReport {
  readonly path: JsonPointer;
  readonly provider: string;
  /** 0: none; n: after n retries; -1: retries used up, or the wait was too long. */
  readonly retries: number;
  readonly cache: CacheStatus;
}

/** All that strategies and stages see. Started or discarded exactly once. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly origin: Origin;
  /** Which of the gateway's own errors this is, where it is one. */
  readonly cause?: ErrorCode;
  readonly body: ResponseBody;
  readonly leaf?: LeafReport;
}

/** One request to an upstream, ready to be sent. */
export interface UpstreamRequest {
  readonly method: string;
  /** `https://host[:port]`. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: RawHeaders;
  readonly body: RequestBody;
}

/** An upstream's answer at its head, or why there is none. */
export type UpstreamAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: RawHeaders; readonly body: UpstreamBody }
  | UpstreamFailure;

export interface UpstreamFailure {
  readonly kind: 'failure';
  readonly error: ErrorReport;
}

/** The bytes of an upstream's answer. Exactly one of the three is called, once; only `discard` may also follow `start`. */
export interface UpstreamBody {
  /** The whole body; a failure where it breaks off or is larger than `limit` bytes. A promise only where more is to come. */
  collect(limit: number): Uint8Array | UpstreamFailure | Promise<Uint8Array | UpstreamFailure>;
  /** Sends the bytes on as they arrive; `sink.fail` where they break off. */
  start(sink: Sink): void;
  /** Stops the transfer: what is called of a sink after that is ignored. */
  discard(): void;
}

/** Something requests can be sent to: a connection pool, or a provider that answers in process. */
export interface Upstream {
  send(request: UpstreamRequest, scope: Scope): Promise<UpstreamAnswer>;
}

/** A light stand-in for `AbortSignal`: the client left, or a time-out struck. */
export interface Cancellation {
  readonly cancelled: boolean;
  /** Calls back at once if it is cancelled already. Returns how to stop listening. */
  onCancel(listener: () => void): () => void;
}

/** One attempt: what ends it early, and its number in its leaf, from 1. */
export interface Scope {
  readonly cancellation: Cancellation;
  readonly attempt: number;
}
