import type { buildConnector } from 'undici';
import type { Scope, Upstream, UpstreamAnswer, UpstreamRequest } from '../../plugins/sdk/http.ts';
import { type ErrorReport, errorReport } from '../../schema/errors.ts';
import type { Clock } from '../ports/clock.ts';
import { calledOff, Transfer } from './transfer.ts';
import { Pool } from './undici-parts.ts';

/** Bytes of an answer's header section, as for the gateway's own clients. */
const maxHeaderBytes = 64 * 1024;
/** Milliseconds that an idle connection is kept where the upstream does not say. */
const keepAliveMs = 30_000;

export interface PoolLimits {
  /** Connections per origin. */
  readonly connections: number;
  /** Requests that may wait for one of them. */
  readonly queue: number;
  /** Milliseconds that a request may wait. */
  readonly queueMs: number;
  /** Milliseconds after which connections take no more requests, so that a change in DNS is seen. */
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
  /** Closes the connections now; what is under way fails. */
  destroy(): Promise<void>;
}

interface Waiting {
  readonly request: UpstreamRequest;
  readonly transfer: Transfer;
  stopTimer?: () => void;
}

const bodyOf = ({ body }: UpstreamRequest) => {
  switch (body.kind) {
    case 'none':
      return null;
    case 'bytes':
      return body.bytes;
    case 'stream':
      return body.stream;
  }
};

/**
 * A pool with a queue of its own in front of undici's: a request that waits here can be withdrawn and can grow too
 * old, which undici's queue knows nothing of.
 */
export const createOriginPool = ({ origin, limits, connect, clock }: OriginPoolOptions): OriginPool => {
  const { host } = new URL(origin);
  const waiting = new Set<Waiting>();
  let running = 0;
  let retired = false;
  let destroyed = false;

  const open = (): Pool =>
    new Pool(origin, {
      connect,
      connections: limits.connections,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 1,
      allowH2: false,
    });

  let dispatcher = open();
  let bornAt = clock.monotonic();
  /** Those that have grown old and finish what they have begun. */
  const leaving = new Set<Pool>();

  const leave = (old: Pool): void => {
    leaving.add(old);
    old.close(() => leaving.delete(old));
  };

  /** undici can give each connection an age, but then looks at all of them for each request. */
  const youngDispatcher = (): Pool => {
    const now = clock.monotonic();
    if (now - bornAt < limits.maxAgeMs || destroyed) return dispatcher;
    leave(dispatcher);
    dispatcher = open();
    bornAt = now;
    return dispatcher;
  };

  const full = (): ErrorReport => errorReport('pool-full', { host });

  const closeIfIdle = (): void => {
    if (retired && running === 0 && waiting.size === 0) dispatcher.close(() => undefined);
  };

  const dispatch = ({ request, transfer }: Waiting): void => {
    running += 1;
    transfer.markSent();
    const { method, path } = request;
    // undici's type asks for a mutable array, but only reads it.
    const headers = request.headers as string[];
    youngDispatcher().dispatch({ method, path, headers, body: bodyOf(request) }, transfer);
  };

  const release = (): void => {
    running -= 1;
    if (waiting.size > 0) {
      const [next] = waiting;
      if (next === undefined) return;
      waiting.delete(next);
      next.stopTimer?.();
      dispatch(next);
    } else if (retired) closeIfIdle();
  };

  const send = (request: UpstreamRequest, { cancellation }: Scope): Promise<UpstreamAnswer> =>
    new Promise((resolve) => {
      if (cancellation.cancelled) {
        resolve({ kind: 'failure', error: calledOff(host) });
        return;
      }
      const onWithdrawn = (): void => {
        entry.stopTimer?.();
        waiting.delete(entry);
        closeIfIdle();
      };
      const transfer = new Transfer({ host, cancellation, onAnswer: resolve, onReleased: release, onWithdrawn });
      const entry: Waiting = { request, transfer };
      if (running < limits.connections) dispatch(entry);
      else if (waiting.size >= limits.queue) transfer.abort(full());
      else {
        waiting.add(entry);
        entry.stopTimer = clock.after(limits.queueMs, () => transfer.abort(full()));
      }
    });

  return {
    send,
    retire: () => {
      retired = true;
      closeIfIdle();
    },
    destroy: async () => {
      retired = true;
      destroyed = true;
      const gone = errorReport('connection-lost', { host, reason: 'the gateway closed its connections.' });
      for (const { transfer } of waiting) transfer.abort(gone);
      await Promise.all([dispatcher, ...leaving].map((pool) => pool.destroy()));
    },
  };
};
