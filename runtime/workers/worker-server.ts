import { systemClock } from '../in-memory/system-clock.ts';
import type { GatewayServer } from '../server/node-http/gateway-server.ts';

export interface WorkerServerOptions {
  readonly listening: GatewayServer;
  /** How many milliseconds the connections of a worker that is replaced may bring further requests. */
  readonly retireMs: number;
  /** Whether the owner exists. */
  readonly hasOwner: () => boolean;
}

/** The server of a worker, with additional ways to end because it shares its port. */
export interface WorkerServer extends GatewayServer {
  /**
   * Called when another worker takes its place: no connection is accepted any more, and answers end theirs. Calls `ended` when
   * connections that brought nothing for a while may be closed.
   */
  retire(ended: () => void): void;
}

/** There is no need to wait for a load balancer if the owner has ended, or if others serve on the same port. */
export const workerServer = ({ listening, retireMs, hasOwner }: WorkerServerOptions): WorkerServer => {
  let isRetiring = false;
  return {
    ...listening,
    drain: (ms, delayMs) => listening.drain(ms, isRetiring || !hasOwner() ? 0 : delayMs),
    retire: (ended) => {
      if (isRetiring) return;
      isRetiring = true;
      listening.stopAccepting();
      listening.beginDrain();
      systemClock.after(retireMs, ended);
    },
  };
};
