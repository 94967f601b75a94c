import { get } from '../../api/client.ts';
import { type LoggedRequest, type TargetFigures, targetFigures } from '../../plan-picture/target-figures.ts';

/** The figures of the targets of a config over the last hour. */
export interface LastHour {
  readonly targets: readonly TargetFigures[];
  /** How many requests were read. */
  readonly requests: number;
  /** Whether there were more requests than were read. Then only the newest count. */
  readonly isSample: boolean;
}

interface LogPage {
  readonly data: readonly LoggedRequest[];
  readonly has_more: boolean;
  readonly last_id: string | null;
}

const pageSize = 100;
const maxPages = 10;

/** Reads the requests of a config in the last hour from the log, newest first, at most a thousand. */
export const loadLastHour = async (config: string, signal: AbortSignal): Promise<LastHour> => {
  const requests: LoggedRequest[] = [];
  const query = { config, time_min: Math.floor(Date.now() / 1000) - 3600, limit: pageSize };
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const part: LogPage = await get('/logs', { query: { ...query, after: after ?? undefined }, signal });
    requests.push(...part.data);
    after = part.has_more ? part.last_id : null;
    if (after === null) break;
  }
  return { targets: targetFigures(requests), requests: requests.length, isSample: after !== null };
};
