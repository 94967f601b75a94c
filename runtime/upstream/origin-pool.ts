import type { buildConnector } from 'undici';
import type { Scope, Upstream, UpstreamAnswer, UpstreamRequest } from '../../plugins/sdk/http.ts';
import { type ErrorReport, errorReport } from '../../schema/errors.ts';
import type { Clock } from '../ports/clock.ts';
import { cancelledReport } from './cancelled-report.ts';
import { type Connection, Connections } from './connections.ts';
import { Transfer } from './transfer.ts';

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
 * Connections with a bounded queue in front of them: a request that waits can be withdrawn, and can grow too old.
 */
export const createOriginPool = ({ origin, limits, connect, clock }: OriginPoolOptions): OriginPool => {
  const { host } = new URL(origin);
  const waiting = new Set<Waiting>();
  let running = 0;
  let retired = false;
  /** Why nothing is sent any more. */
  let closed: ErrorReport | undefined;

  const connections = new Connections({ origin, connect, clock, maxAgeMs: limits.maxAgeMs });

  const full = (): ErrorReport => errorReport('pool-full', { host });

  const closeIfIdle = (): void => {
    if (retired && running === 0 && waiting.size === 0) connections.close();
  };

  const dispatch = ({ request, transfer }: Waiting): void => {
    running += 1;
    const connection = connections.take();
    transfer.markSent(() => release(connection));
    const { method, path } = request;
    // undici's type asks for a mutable array, but only reads it.
    const headers = request.headers as string[];
    connection.client.dispatch({ method, path, headers, body: bodyOf(request) }, transfer);
  };

  const release = (connection: Connection): void => {
    running -= 1;
    connections.give(connection);
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
      if (cancellation.cancelled || closed !== undefined) {
        resolve({ kind: 'failure', error: closed ?? cancelledReport(host) });
        return;
      }
      const onWithdrawn = (): void => {
        entry.stopTimer?.();
        waiting.delete(entry);
        closeIfIdle();
      };
      const transfer = new Transfer({ host, cancellation, onAnswer: resolve, onWithdrawn });
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
      closed = errorReport('connection-lost', { host, reason: 'the gateway closed its connections.' });
      for (const { transfer } of waiting) transfer.abort(closed);
      await connections.destroy();
    },
  };
};
