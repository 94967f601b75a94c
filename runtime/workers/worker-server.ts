import { systemClock } from '../memory/system-clock.ts';
import type { GatewayServer } from '../server/node-http/gateway-server.ts';

export interface WorkerServerOptions {
  readonly listening: GatewayServer;
  /** Milliseconds in which the connections of a worker that is replaced may bring further requests. */
  readonly retireMs: number;
  /** Whether the owner is there. */
  readonly hasOwner: () => boolean;
}

/** The server of a worker: with the ends that one has which shares its port. */
export interface WorkerServer extends GatewayServer {
  /**
   * Another one takes its place: no connection is accepted any more, answers end theirs, and `ended` is called when those
   * that brought nothing for a while may be closed.
   */
  retire(ended: () => void): void;
}

/** Nobody waits for a load balancer where the owner has ended, or others serve on the same port. */
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
