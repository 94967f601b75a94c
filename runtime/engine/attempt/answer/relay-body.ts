import type { Sink, StreamBody, StreamEnd, UpstreamBody } from '../../../../plugins/sdk/http/http.ts';
import { type ErrorReport, errorReport } from '../../../../schema/errors/errors.ts';
import { IdleTimer } from '../../../async/idle-timer.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { PassedUsage } from '../../../usage/passed-usage.ts';
import type { AttemptScope } from '../../call/attempt-scope.ts';
import { StreamEnding } from './stream-ending.ts';

export interface RelayOptions {
  readonly scope: AttemptScope;
  readonly clock: Clock;
  /** The silence after which it is ended, in milliseconds. */
  readonly idleMs: number;
  /** Whether the request's body was still being sent since the last call, because its upstream may wait for it. */
  readonly isUploading: () => boolean;
  /** Reads the same bytes. Absent if nothing does. */
  readonly reader?: PassedUsage | undefined;
}

/**
 * Relays an upstream's body to the client, unread and unchanged. If the upstream cuts it, or is silent for too long, the transfer
 * is aborted.
 */
export class RelayBody implements StreamBody, Sink {
  readonly kind = 'stream';
  readonly #body: UpstreamBody;
  readonly #scope: AttemptScope;
  readonly #ending = new StreamEnding();
  readonly #idle: IdleTimer;
  readonly #reader: PassedUsage | undefined;
  #sink: Sink | undefined;
  #isFull = false;

  constructor(body: UpstreamBody, { scope, clock, idleMs, isUploading, reader }: RelayOptions) {
    this.#body = body;
    this.#scope = scope;
    this.#reader = reader;
    this.#idle = new IdleTimer({
      clock,
      idleMs,
      isExcused: () => this.#isFull || isUploading(),
      onIdle: () => this.cut(errorReport('stream-idle', { ms: idleMs })),
    });
    this.#ending.onEnd(() => {
      this.#idle.stop();
      scope.release();
    });
    scope.onCancel(() => this.#ending.finish(this.#endOfScope));
  }

  start(sink: Sink): void {
    this.#sink = sink;
    this.#idle.start();
    this.#body.start(this);
  }

  write(chunk: Buffer): boolean {
    this.#idle.heard();
    this.#reader?.write(chunk);
    this.#isFull = this.#sink?.write(chunk) === false;
    return !this.#isFull;
  }

  onDrain(resume: () => void): void {
    this.#sink?.onDrain(() => {
      this.#isFull = false;
      this.#idle.heard();
      resume();
    });
  }

  end(): void {
    if (this.#reader !== undefined) this.#reader.isWhole = true;
    this.#sink?.end();
    this.#ending.finish('complete');
  }

  fail(error: ErrorReport): void {
    this.#sink?.fail(this.#scope.cause ?? error);
    // The transfer also learns that the client has disconnected, and does so before this code.
    this.#ending.finish(this.#scope.cancelled ? this.#endOfScope : 'failed');
  }

  /** Ends the transfer with an error. */
  cut(error: ErrorReport): void {
    this.#body.discard();
    this.fail(error);
  }

  discard(): void {
    this.#ending.finish('left');
    this.#body.discard();
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    this.#ending.onEnd(listener);
  }

  get #endOfScope(): StreamEnd {
    return this.#scope.cause === undefined ? 'left' : 'failed';
  }
}
