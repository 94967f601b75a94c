import type { buildConnector } from 'undici';
import { FairShares } from '../../plugins/sdk/fairness/fair-shares.ts';
import type { RawHeaders, Scope, Upstream, UpstreamAnswer, UpstreamRequest } from '../../plugins/sdk/http/http.ts';
import { type ErrorReport, errorReport } from '../../schema/errors/errors.ts';
import { TurnBatch } from '../async/turn-batch.ts';
import type { Clock } from '../ports/clock.ts';
import { cancelledReport } from './cancelled-report.ts';
import { Connections } from './connections.ts';
import { toReadable } from './to-readable.ts';
import { Transfer, type TransferOwner } from './transfer.ts';

export interface PoolLimits {
  /** Connections per origin for one tenant. All tenants together have four times as many, so that no tenant takes all of them. */
  readonly connections: number;
  /** How many requests of one tenant may wait for a connection. */
  readonly queue: number;
  /** How many milliseconds a request may wait. */
  readonly queueMs: number;
  /** How many milliseconds connections accept requests, so that DNS changes take effect. */
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
  /** Closes the connections immediately. Running requests fail. */
  destroy(): Promise<void>;
}

const toBody = ({ body }: UpstreamRequest) => {
  switch (body.kind) {
    case 'none':
      return null;
    case 'bytes':
      return body.bytes;
    case 'form':
      return toReadable(body.form.open());
    case 'stream':
      return toReadable(body.stream);
  }
};

const isWhole = ({ body }: UpstreamRequest): boolean => body.kind === 'none' || body.kind === 'bytes';

/** A form is a stream of known length. */
const toHeaders = ({ headers, body }: UpstreamRequest): RawHeaders =>
  body.kind === 'form' ? [...headers, 'content-length', String(body.form.length)] : headers;

/** A request that was cancelled while it waited is ended before it is written. */
const dispatch = (transfer: Transfer): void => {
  const { connection, request } = transfer;
  if (connection === undefined) return;
  const { method, path, opensSocket = false } = request;
  // undici's type asks for a mutable array, but only reads it.
  const headers = toHeaders(request) as string[];
  connection.offersSocket = opensSocket;
  const upgrade = opensSocket ? 'websocket' : null;
  connection.client.dispatch({ method, path, headers, body: toBody(request), upgrade }, transfer);
};

/** How many tenants can use all of their connections before there is none left for another one. */
const floods = 4;

/**
 * Connections with a bounded queue per tenant. Tenants take turns, and a waiting request can be withdrawn and times out, so one
 * tenant's requests that are never answered do not keep others from the origin.
 */
class BoundedPool implements OriginPool, TransferOwner {
  readonly host: string;
  readonly #limits: PoolLimits;
  readonly #clock: OriginPoolOptions['clock'];
  readonly #connections: Connections;
  readonly #shares: FairShares;
  readonly #batch = new TurnBatch(dispatch);
  /** By tenant, in order of arrival. */
  readonly #waiting = new Map<string, Set<Transfer>>();
  #retired = false;
  /** Why nothing is sent any more. */
  #closed: ErrorReport | undefined;

  constructor({ origin, limits, connect, clock }: OriginPoolOptions) {
    this.host = new URL(origin).host;
    this.#limits = limits;
    this.#shares = new FairShares(floods * limits.connections, limits.connections);
    this.#clock = clock;
    this.#connections = new Connections({ origin, connect, clock, maxAgeMs: limits.maxAgeMs });
  }

  send(request: UpstreamRequest, scope: Scope): Promise<UpstreamAnswer> {
    if (scope.cancellation.cancelled || this.#closed !== undefined)
      return Promise.resolve({ kind: 'failure', error: this.#closed ?? cancelledReport(this.host) });
    return new Promise((onAnswer) => this.#enter(new Transfer({ owner: this, request, scope, onAnswer })));
  }

  withdraw(transfer: Transfer): void {
    this.#unqueue(transfer);
    this.#closeIfIdle();
  }

  resend(transfer: Transfer): boolean {
    const { connection, request } = transfer;
    // A body that is a stream ended with the connection.
    if (connection === undefined || request.body.kind === 'stream' || this.#closed !== undefined) return false;
    const other = this.#connections.replace(connection);
    if (other === undefined) return false;
    this.#dispatch(transfer, other);
    return true;
  }

  release({ connection, tenant }: Transfer): void {
    if (connection === undefined) return;
    this.#shares.give(tenant);
    this.#connections.give(connection);
    const next = this.#waiting.size === 0 ? undefined : this.#next();
    if (next === undefined) this.#closeIfIdle();
    else {
      this.#unqueue(next);
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
    for (const queue of this.#waiting.values()) for (const transfer of queue) transfer.abort(this.#closed);
    await this.#connections.destroy();
  }

  #enter(transfer: Transfer): void {
    if (this.#shares.take(transfer.tenant)) this.#dispatch(transfer);
    else this.#queue(transfer);
  }

  #queue(transfer: Transfer): void {
    const { queue: maxQueued, queueMs } = this.#limits;
    const { tenant } = transfer;
    const queue = this.#waiting.get(tenant) ?? new Set();
    if (queue.size >= maxQueued) {
      transfer.abort(this.#full());
      return;
    }
    this.#waiting.set(tenant, queue.add(transfer));
    this.#shares.wait(tenant);
    transfer.stopQueueTimer = this.#clock.after(queueMs, () => transfer.abort(this.#full()));
  }

  /** Returns the request that may be sent now. Undefined if none may. */
  #next(): Transfer | undefined {
    const turn = this.#shares.next();
    const [first] = turn === undefined ? [] : (this.#waiting.get(turn) ?? []);
    return first;
  }

  /** Removes a request from its queue, if it waits. */
  #unqueue(transfer: Transfer): void {
    const { tenant } = transfer;
    transfer.stopQueueTimer?.();
    const queue = this.#waiting.get(tenant);
    if (queue === undefined) return;
    queue.delete(transfer);
    if (queue.size > 0) return;
    this.#waiting.delete(tenant);
    this.#shares.leave(tenant);
  }

  /** Sends a request that has a connection. */
  #dispatch(transfer: Transfer, connection = this.#connections.take()): void {
    transfer.markSent(connection);
    // If a body is still being produced, only its beginning is written now.
    if (isWhole(transfer.request)) this.#batch.add(transfer);
    else dispatch(transfer);
  }

  #closeIfIdle(): void {
    if (this.#retired && this.#shares.taken === 0 && this.#waiting.size === 0) this.#connections.close();
  }

  #full(): ErrorReport {
    return errorReport('pool-full', { host: this.host });
  }
}

export const createOriginPool = (options: OriginPoolOptions): OriginPool => new BoundedPool(options);
