import { ControlClient } from './control-client.ts';

/** What `/readyz` says of the log of requests. */
export interface LogPage {
  /** Records that wait to be written. */
  readonly waiting: number;
  /** Records that were dropped since the process started. */
  readonly dropped: number;
}

/** What a gateway with a log says of it. */
export const readLogPage = async (port: number): Promise<LogPage> => {
  const client = new ControlClient(port);
  try {
    const { status, text } = await client.ask('GET /readyz', { base: '' });
    const log: LogPage | undefined = JSON.parse(text).store?.log;
    if (log === undefined) throw new Error(`/readyz says nothing of a log: ${status} ${text}`);
    return log;
  } finally {
    client.close();
  }
};
