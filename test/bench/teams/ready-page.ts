import { ControlClient } from '../harness/control-client.ts';

/** The state of the request log in `/readyz`. */
export interface LogPage {
  /** The number of records that wait to be written. */
  readonly waiting: number;
  /** The number of records dropped since the process started. */
  readonly dropped: number;
}

/** Reads the state of the log from a gateway that has one. */
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
