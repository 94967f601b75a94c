import { SinkThread, type SinkThreadOptions } from './sink-thread.ts';
import { SinkWriter, type SinkWriterOptions } from './sink-writer.ts';

export interface OpenSinksOptions
  extends Omit<SinkThreadOptions, 'clock'>,
    Pick<SinkWriterOptions, 'settings' | 'findSlug' | 'clock'> {
  /** For how many milliseconds what waits may be sent when they are closed. */
  readonly closeMs: () => number;
}

/** The sinks of the log, in their thread. */
export interface OpenedSinks {
  readonly writer: SinkWriter;
  close(): Promise<void>;
}

/** Starts the thread of the sinks. Rejects with a `StoreError` for sinks that cannot be used. */
export const openSinks = async ({ closeMs, ...options }: OpenSinksOptions): Promise<OpenedSinks> => {
  const thread = await new SinkThread(options).start();
  const writer = new SinkWriter({ ...options, thread });
  return { writer, close: () => writer.close(closeMs()) };
};
