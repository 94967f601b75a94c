import { type buildConnector, Pool } from 'undici';
import type { Scope, Upstream, UpstreamAnswer, UpstreamRequest } from '../../plugins/sdk/http.ts';
import { type ErrorReport, errorReport } from '../../schema/errors.ts';
import type { Clock } from '../ports/clock.ts';
import { calledOff, Transfer } from './transfer.ts';

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
  /** Milliseconds after which a connection takes no more requests, so that a change in DNS is seen. */
  readonly maxAgeMs: number;
}

export interface OriginPoolOptions {
  readonly origin: string;
  readonly limits: PoolLimits;
  readonly connect: buildConnector.connector;
  readonly clock: Pick<Clock, 'after'>;
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
  const dispatcher = new Pool(origin, {
    connect,
    connections: limits.connections,
    clientTtl: limits.maxAgeMs,
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    allowH2: false,
  });
  const waiting = new Set<Waiting>();
  const running = new Set<Transfer>();
  let retired = false;

  const full = (): ErrorReport => errorReport('pool-full', { host });

  const closeIfIdle = (): void => {
    if (retired && running.size === 0 && waiting.size === 0) dispatcher.close(() => undefined);
  };

  const dispatch = ({ request, transfer }: Waiting): void => {
    running.add(transfer);
    transfer.markSent();
    // undici's type asks for a mutable array, but only reads it.
    const headers = request.headers as string[];
    dispatcher.dispatch({ method: request.method, path: request.path, headers, body: bodyOf(request) }, transfer);
  };

  const release = (transfer: Transfer): void => {
    running.delete(transfer);
    const [next] = waiting;
    if (next !== undefined) {
      waiting.delete(next);
      dispatch(next);
    } else if (retired) closeIfIdle();
  };

  const send = (request: UpstreamRequest, { cancellation }: Scope): Promise<UpstreamAnswer> =>
    new Promise((resolve) => {
      if (cancellation.cancelled) return resolve({ kind: 'failure', error: calledOff(host) });
      let stopWaiting: (() => void) | undefined;
      const transfer: Transfer = new Transfer({
        host,
        cancellation,
        onAnswer: resolve,
        onReleased: () => release(transfer),
        onWithdrawn: () => {
          stopWaiting?.();
          waiting.delete(entry);
          closeIfIdle();
        },
      });
      const entry: Waiting = { request, transfer };
      if (running.size < limits.connections) return dispatch(entry);
      if (waiting.size >= limits.queue) return transfer.abort(full());
      waiting.add(entry);
      stopWaiting = clock.after(limits.queueMs, () => transfer.abort(full()));
    });

  return {
    send,
    retire: () => {
      retired = true;
      closeIfIdle();
    },
    destroy: async () => {
      retired = true;
      const gone = errorReport('connection-lost', { host, reason: 'the gateway closed its connections.' });
      for (const { transfer } of waiting) transfer.abort(gone);
      for (const transfer of running) transfer.abort(gone);
      await dispatcher.destroy();
    },
  };
};
