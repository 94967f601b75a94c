import type { LogReplayed } from '../../../schema/forecast/log-replay.ts';
import { LogReplay, type ReplayOn } from './replay-line.ts';
import type { RunScript } from './replay-request.ts';
import { outcomeText } from './replay-words.ts';

/**
 * Returns where the request of a record would have gone, without sending anything; undefined if it is not a request of a client.
 * Throws a `UsageError` if the record cannot be read.
 */
export const replayRecord = async (run: RunScript, record: string, on: ReplayOn): Promise<LogReplayed | undefined> => {
  const replayed = await new LogReplay(run, on).record(record, 'the record');
  if (typeof replayed === 'string') return undefined;
  const { kind, lacks, ways } = replayed;
  return { kind, ...ways, lacks, text: outcomeText(replayed) };
};
