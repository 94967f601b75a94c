import type { buildConnector } from 'undici';
import type { Scope, Upstream, UpstreamAnswer, UpstreamRequest } from '../../plugins/sdk/http.ts';
import { type ErrorReport, errorReport } from '../../schema/errors.ts';
import type { Clock } from '../ports/clock.ts';
import { toReadable } from '../to-readable.ts';
import { cancelledReport } from './cancelled-report.ts';
import { Connections } from './connections.ts';
import { Transfer, type TransferOwner } from './transfer.ts';

export interface PoolLimits {
  /** Connections per origin. */
  readonly connections: number;
  /** Requests that may wait for one of them. */
  readonly queue: number;
  /** Milliseconds that a request may wait. */
  readonly queueMs: number;
  /** Milliseconds after which connections take no more requests, so that DNS changes take effect. */
  readonly maxAgeMs: number;
}

export interface OriginPoolOptions {
  readonly origin: string;
  readonly limits: PoolLimits;
  readonly connect: buildConnector.connector;
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
}

/** The connections to one origin. */
export interface OriginPool extends Upstream {
  /** Closes the connections when the last request has ended. */
  retire(): void;
  /** Closes the connections now; running requests fail. */
  destroy(): Promise<void>;
}

const bodyOf = ({ body }: UpstreamRequest) => {
  switch (body.kind) {
    case 'none':
      return null;
    case 'bytes':
      return body.bytes;
    case 'stream':
      return toReadable(body.stream);
  }
};

/** Connections with a bounded queue: a waiting request can be withdrawn, and times out. */
class BoundedPool implements OriginPool, TransferOwner {
  readonly host: string;
  readonly #limits: PoolLimits;
  readonly #clock: OriginPoolOptions['clock'];
  readonly #connections: Connections;
  readonly #waiting = new Set<Transfer>();
  #running = 0;
  #retired = false;
  /** Why nothing is sent any more. */
  #closed: ErrorReport | undefined;

  constructor({ origin, limits, connect, clock }: OriginPoolOptions) {
    this.host = new URL(origin).host;
    this.#limits = limits;
    this.#clock = clock;
    this.#connections = new Connections({ origin, connect, clock, maxAgeMs: limits.maxAgeMs });
  }

  send(request: UpstreamRequest, scope: Scope): Promise<UpstreamAnswer> {
    if (scope.cancellation.cancelled || this.#closed !== undefined)
      return Promise.resolve({ kind: 'failure', error: this.#closed ?? cancelledReport(this.host) });
    return new Promise((onAnswer) => this.#enter(new Transfer({ owner: this, request, scope, onAnswer })));
  }

  withdraw(transfer: Transfer): void {
    transfer.stopQueueTimer?.();
    this.#waiting.delete(transfer);
    this.#closeIfIdle();
  }

  release({ connection }: Transfer): void {
    if (connection === undefined) return;
    this.#running -= 1;
    this.#connections.give(connection);
    const [next] = this.#waiting.size === 0 ? [] : this.#waiting;
    if (next === undefined) this.#closeIfIdle();
    else {
      this.#waiting.delete(next);
      next.stopQueueTimer?.();
      this.#dispatch(next);
    }
  }

  retire(): void {
    this.#retired = true;
    this.#closeIfIdle();
  }

  async destroy(): Promise<void> {
    this.#retired = true;
    this.#closed = errorReport('connection-lost', {
      host: this.host,
      reason: 'the gateway closed its connections.',
    });
    for (const transfer of this.#waiting) transfer.abort(this.#closed);
    await this.#connections.destroy();
  }

  #enter(transfer: Transfer): void {
    const { connections, queue, queueMs } = this.#limits;
    if (this.#running < connections) this.#dispatch(transfer);
    else if (this.#waiting.size >= queue) transfer.abort(this.#full());
    else {
      this.#waiting.add(transfer);
      transfer.stopQueueTimer = this.#clock.after(queueMs, () => transfer.abort(this.#full()));
    }
  }

  #dispatch(transfer: Transfer): void {
    this.#running += 1;
    const connection = this.#connections.take();
    transfer.markSent(connection);
    const { request } = transfer;
    const { method, path } = request;
    // undici's type asks for a mutable array, but only reads it.
    const headers = request.headers as string[];
    connection.client.dispatch({ method, path, headers, body: bodyOf(request) }, transfer);
  }

  #closeIfIdle(): void {
    if (this.#retired && this.#running === 0 && this.#waiting.size === 0) this.#connections.close();
  }

  #full(): ErrorReport {
    return errorReport('pool-full', { host: this.host });
  }
}

export const createOriginPool = (options: OriginPoolOptions): OriginPool => new BoundedPool(options);
