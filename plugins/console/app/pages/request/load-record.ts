import { get } from '../../api/client.ts';
import { isId } from '../../api/name-keys.ts';
import type { LogPage } from '../live/log-record.ts';
import type { WholeRecord } from './whole-record.ts';

/** The wait between tries. The gateway writes records in batches, so a record linked from the playground may not exist yet. */
const waitMs = 400;
const maxWaits = 8;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Finds the id of the newest record of a trace. Waits for it for some seconds, and returns the trace id if there is none. */
const findOfTrace = async (trace: string, signal: AbortSignal): Promise<string> => {
  for (let waits = 0; waits <= maxWaits; waits += 1) {
    const { data } = await get<LogPage>('/logs', { query: { trace_id: trace, limit: 1 }, signal });
    const [record] = data;
    if (record !== undefined) return record.id;
    await pause(waitMs);
    signal.throwIfAborted();
  }
  return trace;
};

/** Reads a record by its id, or the newest record of a trace by the trace id. */
export const loadRecord = async (id: string, signal: AbortSignal): Promise<WholeRecord> => {
  const found = isId(id.toLowerCase()) ? id : await findOfTrace(id, signal);
  return get<WholeRecord>(`/logs/${encodeURIComponent(found)}`, { signal });
};
