import type { ServeSignal } from '../cli/services/serve-services.ts';
import { systemClock } from '../in-memory/system-clock.ts';
import type { OwnerCalls, WorkerCalls, WorkerSetup } from './calls.ts';
import { Channel, type Frame } from './channel.ts';

/** A worker's link to its owner. */
export interface OwnerLink {
  readonly seat: WorkerSetup;
  /** The port, which the owner has bound. */
  readonly handle: object;
  readonly channel: Channel<OwnerCalls, WorkerCalls>;
  /** Listens to the operator's signals, as the owner passes them on, and to a SIGTERM if the owner has ended. */
  onSignal(listener: (signal: ServeSignal) => void): () => void;
  /** Passes a signal on. */
  signal(signal: ServeSignal): void;
}

/**
 * Takes the worker's seat from the owner. The operator's signals may reach this process too, as those of a terminal do, but it
 * follows those of its owner, which reach all workers. When the owner ends, this process ends too, after its requests.
 */
export const openOwnerLink = async (): Promise<OwnerLink> => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});
  const listeners = new Set<(signal: ServeSignal) => void>();
  const signal = (name: ServeSignal): void => {
    for (const listener of [...listeners]) listener(name);
  };
  const channel = new Channel<OwnerCalls, WorkerCalls>({
    clock: systemClock,
    send: (frames, sent) => {
      if (process.connected) process.send?.(frames as Frame[], undefined, undefined, () => sent());
      else sent();
    },
  });
  let isSeated = false;
  const { promise, resolve } = Promise.withResolvers<readonly [WorkerSetup, object]>();
  process.once('message', (seat, handle) => {
    isSeated = true;
    process.on('message', (frames) => channel.receive(frames as readonly Frame[]));
    resolve([seat as WorkerSetup, handle as object]);
  });
  process.once('disconnect', () => {
    channel.close();
    // Nobody would read why it cannot start.
    if (!isSeated || listeners.size === 0) process.exit(1);
    signal('SIGTERM');
  });
  const [seat, handle] = await promise;
  return {
    ...{ seat, handle, channel, signal },
    onSignal: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
