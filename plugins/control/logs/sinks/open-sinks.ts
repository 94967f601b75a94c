import type { Clock } from '../../../sdk/clock.ts';
import { SinkThread, type SinkThreadOptions } from './sink-thread.ts';
import { SinkWriter, type SinkWriterOptions } from './sink-writer.ts';
import { ThreadSinks } from './thread-sinks.ts';

export interface OpenSinksOptions extends SinkWriterOptions {
  /** Returns how many milliseconds waiting records may be sent for when the sinks are closed. */
  readonly closeMs: () => number;
}

/** The sinks of the log, as a process that serves requests uses them. */
export interface OpenedSinks {
  readonly writer: SinkWriter;
  close(): Promise<void>;
}

export const openSinks = ({ closeMs, ...options }: OpenSinksOptions): OpenedSinks => {
  const writer = new SinkWriter(options);
  return { writer, close: () => writer.close(closeMs()) };
};

export interface OpenThreadSinksOptions extends Omit<SinkThreadOptions, 'clock'> {
  readonly clock: Clock;
}

/** Starts the sinks' thread. Rejects with a `StoreError` if the sinks cannot be used. */
export const openThreadSinks = async (options: OpenThreadSinksOptions): Promise<ThreadSinks> =>
  new ThreadSinks({ ...options, thread: await new SinkThread(options).start() });
