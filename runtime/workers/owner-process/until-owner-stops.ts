import type { ServeIo } from '../../cli/services/serve-services.ts';
import type { ListeningHandle } from './listening-handle.ts';
import type { Workers } from './workers.ts';

export interface UntilOwnerStopsOptions {
  readonly workers: Workers;
  readonly io: ServeIo;
  readonly handle: ListeningHandle;
  /** Resolves if no worker can be started any more. */
  readonly failed: Promise<string>;
}

export interface OwnerStops {
  /** Resolves when the workers begin to drain, or fail. From then on, none of them serves new plans. */
  readonly begun: Promise<void>;
  /** Resolves to the exit code. */
  readonly ended: Promise<number>;
}

/**
 * Follows the operator's signals. SIGTERM and SIGINT drain all workers, and the second one ends them. SIGHUP goes to all of them.
 * SIGUSR2 replaces them one by one.
 */
export const untilOwnerStops = ({ workers, io, handle, failed }: UntilOwnerStopsOptions): OwnerStops => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const begun = Promise.withResolvers<void>();
  let isStopping = false;
  const replace = (): void => void workers.replaceAll();
  process.on('SIGUSR2', replace);
  const stopListening = io.onSignal((signal) => {
    if (signal === 'SIGHUP') {
      for (const worker of workers.running) worker.channel.notify('signal', { signal });
      return;
    }
    if (isStopping) {
      workers.end();
      io.exit(1);
      return;
    }
    isStopping = true;
    begun.resolve();
    // The port stays open for as long as a worker listens on it.
    handle.close();
    void workers.stop().then((isWell) => resolve(isWell ? 0 : 1));
  });
  void failed.then((reason) => {
    begun.resolve();
    io.stderr(`gw: ${reason}\n`);
    workers.end();
    resolve(1);
  });
  return {
    begun: begun.promise,
    ended: promise.finally(() => {
      stopListening();
      process.off('SIGUSR2', replace);
    }),
  };
};
