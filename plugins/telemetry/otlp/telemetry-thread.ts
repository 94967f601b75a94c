import { ownModule } from '../../sdk/loading/own-module.ts';
import { startOwnThread } from '../../sdk/loading/own-thread.ts';
import { BatchPool } from './batch-pool.ts';
import type { FromThread, ThreadSettings, ThreadStart, ToThread } from './export/messages.ts';
import type { BatchTaker } from './records/record-batches.ts';

/** The thread in which OpenTelemetry runs. Its failures do not affect requests. */
export interface TelemetryThread extends BatchTaker {
  /** Sends the models that a plan names to the thread. */
  addModels(names: readonly string[]): void;
  /** Makes the thread send what is left. Resolves when it has ended, or after two seconds. */
  close(): Promise<void>;
}

const module = ownModule('plugins/telemetry/otlp/export/worker');

/**
 * The same as `npm start` sets for the serving thread. With less, the objects of a batch outlive the young generation, and a span
 * costs more.
 */
const youngMb = 48;

/**
 * How long the gateway waits for the last export, in milliseconds, so that a receiver that does not answer cannot delay the
 * shutdown.
 */
const lastExportMs = 2000;

/** Starts the thread. Resolves when it is ready, and rejects if it cannot start. `log` notifies the operator. */
export const startTelemetryThread = async (
  settings: ThreadSettings,
  log: (text: string) => void,
): Promise<TelemetryThread> => {
  const read = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const start: ThreadStart = { settings, read };
  const worker = startOwnThread(module, { name: 'gatewright-telemetry', workerData: start, youngMb });
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const say = (message: ToThread): void => worker.postMessage(message);
  const pool = new BatchPool({ read, post: (records) => say({ kind: 'records', records }) });
  let [isReady, hasEnded] = [false, false];

  worker.on('message', (message: FromThread) => {
    if (message.kind === 'log') return log(message.text);
    isReady = true;
    ready.resolve();
  });
  worker.on('error', (error: Error) => {
    hasEnded = true;
    pool.clear();
    if (isReady)
      log(
        `Traces and metrics are no longer sent, and requests are served without them until the gateway is restarted: ${error.message}`,
      );
    ready.reject(error);
  });
  worker.on('exit', () => {
    hasEnded = true;
    ready.reject(new Error('The thread that sends traces and metrics has ended before it was ready.'));
    ended.resolve();
  });
  await ready.promise;
  // It must not keep the process running.
  worker.unref();

  return {
    next: (bytes) => pool.next(bytes),
    take(records) {
      if (!hasEnded) pool.take(records);
    },
    waitingBytes: () => pool.waitingBytes(),
    addModels: (names) => say({ kind: 'models', names }),
    async close() {
      if (hasEnded) return;
      say({ kind: 'close' });
      const timer = setTimeout(() => {
        log(`The last traces and metrics are lost: the receiver did not answer within ${lastExportMs / 1000} s.`);
        void worker.terminate();
      }, lastExportMs);
      await ended.promise;
      clearTimeout(timer);
    },
  };
};
