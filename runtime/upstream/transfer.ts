import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import { holdChunk } from '../../plugins/sdk/http/hold-chunk.ts';
import type {
  Scope,
  Sink,
  UpstreamAnswer,
  UpstreamBody,
  UpstreamFailure,
  UpstreamRequest,
} from '../../plugins/sdk/http/http.ts';
import { type ErrorReport, errorReport } from '../../schema/errors/errors.ts';
import { cancelledReport } from './cancelled-report.ts';
import type { Connection } from './connections.ts';
import { HeldMemory, type TakeMemory, unreservedBytes } from './held-memory.ts';
import { networkReport } from './network-report.ts';
import { toRawHeaders } from './to-raw-headers.ts';

/** The reader of the body: none yet, a collector, a sink, or none any more. */
type Reader =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'collector';
      readonly limit: number;
      readonly memory: HeldMemory;
      readonly settle: (result: Buffer | UpstreamFailure) => void;
    }
  | { readonly kind: 'sink'; readonly sink: Sink }
  | { readonly kind: 'gone' };

/** Sends transfers, and is notified of what happens to them. */
export interface TransferOwner {
  /** Host and port, for error messages. */
  readonly host: string;
  /** Called if it was ended before it was sent. */
  withdraw(transfer: Transfer): void;
  /** Called if its connection broke before anything was written on it. Returns false if it is not sent on another one. */
  resend(transfer: Transfer): boolean;
  /** Called when it was sent, and its connection is free again or gone. */
  release(transfer: Transfer): void;
}

const noReader: Reader = { kind: 'none' };
const gone: Reader = { kind: 'gone' };
const noChunks: Buffer[] = [];

export interface TransferOptions {
  readonly owner: TransferOwner;
  readonly request: UpstreamRequest;
  /** Not cancelled yet. */
  readonly scope: Scope;
  /** Called when the head has arrived, or when it is known that there will be none. */
  readonly onAnswer: (answer: UpstreamAnswer) => void;
}

/**
 * One request on a connection, from the queue to the last byte: the callbacks for undici, and the body that the caller reads. The
 * answer is returned at the head. The body waits for its reader within a limit, and a full sink pauses the socket.
 */
export class Transfer implements Dispatcher.DispatchHandler, UpstreamBody {
  readonly #options: TransferOptions;
  #controller: Pick<Dispatcher.DispatchController, 'abort' | 'pause' | 'resume'> | undefined;
  /** Set while it is being sent. */
  connection: Connection | undefined;
  /** Set while it waits for a connection: stops the timer of the wait. */
  stopQueueTimer: (() => void) | undefined;
  #isSent = false;
  #answered = false;
  #reader: Reader = noReader;
  /** Unread bytes. The list is created when there are some. */
  #chunks: Buffer[] = noChunks;
  #size = 0;
  #sinkFull = false;
  /** How the upstream's side ended. */
  #ending: 'whole' | ErrorReport | undefined;
  readonly #stopListening: () => void;

  constructor(options: TransferOptions) {
    this.#options = options;
    this.#stopListening = options.scope.cancellation.onCancel(() => this.#cancel());
  }

  /** The tenant whose request it is. Empty if it belongs to nobody. */
  get tenant(): string {
    return this.#options.scope.tenant ?? '';
  }

  get request(): UpstreamRequest {
    return this.#options.request;
  }

  /** Called when it is passed to undici, on its own connection. */
  markSent(connection: Connection): void {
    this.#isSent = true;
    this.connection = connection;
  }

  /** Ends it for a reason of the gateway itself. */
  abort(error: ErrorReport): void {
    if (this.#ending !== undefined) return;
    this.#finish(error);
    this.#controller?.abort(new Error('aborted'));
    if (!this.#isSent) this.#options.owner.withdraw(this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Cancelled while it waited inside undici's pool, which cannot withdraw it. Otherwise it would be sent although nothing waits
    // for it, and its connection would never be released.
    if (this.#ending !== undefined) controller.abort(new Error('aborted'));
    else this.#options.scope.written?.();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200 || this.#ending !== undefined) return;
    this.#answer({ kind: 'answer', status, headers: toRawHeaders(controller.rawHeaders), body: this });
  }

  /** The upstream has opened a WebSocket: from now on, its connection belongs to this request until it closes. */
  onRequestUpgrade(controller: Dispatcher.DispatchController, status: number, _: unknown, socket: Duplex): void {
    const { owner } = this.#options;
    const opened: Pick<Dispatcher.DispatchController, 'abort' | 'pause' | 'resume'> = {
      abort: () => socket.destroy(),
      pause: () => void socket.pause(),
      resume: () => void socket.resume(),
    };
    this.#controller = opened;
    // The reason for a failure is known before the connection closes.
    let failure: unknown;
    socket.on('error', (error) => {
      failure = error;
    });
    socket.once('end', () => this.#finish('whole'));
    socket.once('close', () => {
      owner.release(this);
      this.#finish(failure === undefined ? 'whole' : networkReport(failure, owner.host, true));
    });
    if (this.#ending !== undefined) {
      socket.destroy();
      return;
    }
    socket.on('data', (chunk: Buffer) => this.onResponseData(opened, chunk));
    this.#answer({
      kind: 'answer',
      status,
      headers: toRawHeaders(controller.rawHeaders),
      body: this,
      toUpstream: {
        write: (chunk) => socket.write(chunk),
        onDrain: (resume) => void socket.once('drain', resume),
        end: () => void socket.end(),
        fail: () => void socket.destroy(),
      },
    });
  }

  onResponseData(controller: Pick<Dispatcher.DispatchController, 'pause'>, chunk: Buffer): void {
    // If resumed at the end of a chunk, undici's parser passes an empty one, and passes it again if that pauses it.
    if (chunk.length === 0) return;
    const reader = this.#reader;
    if (reader.kind === 'sink' && !this.#sinkFull && this.#chunks.length === 0) {
      if (!reader.sink.write(chunk)) this.#awaitDrain(reader.sink);
      return;
    }
    if (reader.kind === 'gone') return;
    if (this.#chunks.length === 0) this.#chunks = [chunk];
    else holdChunk(this.#chunks, chunk);
    this.#size += chunk.length;
    if (reader.kind === 'collector') this.#checkLimit(reader);
    else if (this.#size > unreservedBytes) controller.pause();
  }

  onResponseEnd(): void {
    this.#options.owner.release(this);
    this.#finish('whole');
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    const { owner } = this.#options;
    const isWritten = this.#controller !== undefined;
    // undici fails requests that wait at a connection that is reset, and connects again if it is closed.
    if (!isWritten && this.#ending === undefined && owner.resend(this)) return;
    owner.release(this);
    this.#finish(networkReport(error, owner.host, isWritten));
  }

  collect(limit: number, take?: TakeMemory): Buffer | UpstreamFailure | Promise<Buffer | UpstreamFailure> {
    // A small answer arrived with its head, so there is nothing to wait for.
    if (this.#ending !== undefined) return this.#collected(this.#ending, limit);
    return new Promise((settle) => {
      const reader: Reader = { kind: 'collector', limit, memory: new HeldMemory(take), settle };
      this.#reader = reader;
      if (!this.#checkLimit(reader)) this.#controller?.resume();
    });
  }

  start(sink: Sink): void {
    this.#reader = { kind: 'sink', sink };
    this.#flush(sink);
  }

  discard(): void {
    this.#leave();
    this.abort(cancelledReport(this.#options.owner.host));
  }

  #cancel(): void {
    this.#chunks = noChunks;
    this.abort(cancelledReport(this.#options.owner.host));
  }

  #answer(answer: UpstreamAnswer): void {
    this.#answered = true;
    this.#options.onAnswer(answer);
  }

  #finish(ending: 'whole' | ErrorReport): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#stopListening();
    if (!this.#answered && ending !== 'whole') this.#answer({ kind: 'failure', error: ending });
    else this.#deliverEnd(ending);
  }

  /** Returns the whole of a body that has ended. */
  #collected(ending: 'whole' | ErrorReport, limit: number): Buffer | UpstreamFailure {
    const chunks = this.#chunks;
    const size = this.#size;
    this.#leave();
    if (ending !== 'whole') return { kind: 'failure', error: ending };
    if (size > limit) return { kind: 'failure', error: errorReport('answer-too-large', { limit }) };
    return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  }

  #deliverEnd(ending: 'whole' | ErrorReport): void {
    const reader = this.#reader;
    if (reader.kind === 'collector') reader.settle(this.#collected(ending, reader.limit));
    else if (reader.kind === 'sink' && this.#chunks.length === 0) {
      this.#leave();
      if (ending === 'whole') reader.sink.end();
      else reader.sink.fail(ending);
    }
  }

  #collectorFailure({ limit, memory }: Extract<Reader, { kind: 'collector' }>): ErrorReport | undefined {
    if (this.#size > limit) return errorReport('answer-too-large', { limit });
    return memory.admits(this.#size) ? undefined : errorReport('overloaded', {});
  }

  /**
   * Returns true if the body is too large, or there is no memory for it. The collector then gets its failure, and the transfer is
   * stopped.
   */
  #checkLimit(reader: Extract<Reader, { kind: 'collector' }>): boolean {
    const error = this.#collectorFailure(reader);
    if (error === undefined) return false;
    this.#leave();
    this.abort(error);
    reader.settle({ kind: 'failure', error });
    return true;
  }

  #awaitDrain(sink: Sink): void {
    this.#sinkFull = true;
    if (this.#ending === undefined) this.#controller?.pause();
    sink.onDrain(() => {
      this.#sinkFull = false;
      if (this.#reader.kind === 'sink') this.#flush(sink);
    });
  }

  #flush(sink: Sink): void {
    for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) {
      this.#size -= chunk.length;
      const hasRoom = sink.write(chunk);
      if (this.#reader.kind !== 'sink') return;
      if (!hasRoom) {
        this.#awaitDrain(sink);
        return;
      }
    }
    if (this.#ending !== undefined) this.#deliverEnd(this.#ending);
    else this.#controller?.resume();
  }

  #leave(): void {
    this.#reader = gone;
    this.#chunks = noChunks;
    this.#size = 0;
  }
}
