import { get } from '../../api/client.ts';
import { type List, readWholeList } from '../../api/pages.ts';
import { may } from '../../api/session.ts';
import { type Circuit, isOpen, loadCircuits } from '../plan/circuits.ts';
import type { Figures, Graph } from '../usage/charts.ts';
import { type NearLimit, nearLimit, type UsagePolicy } from './budgets.ts';

const hour = 3600;
const day = 24 * hour;

/** A failed request of the log. */
export interface FailedRequest {
  readonly id: string;
  readonly created_at: number;
  readonly status: number;
  readonly cause: string | null;
  readonly model: string | null;
}

/** Totals by the names of graphs (`GET /analytics/summary`). */
export type Summary = Readonly<
  Record<'requests' | 'errors' | 'latency' | 'rescued' | 'cache_hit_rate' | 'cost', Figures>
>;

/** The figures of a period, and of the same period a day before. */
export interface Compared {
  readonly now: Summary;
  readonly before: Summary;
}

/** The figures of the page. Those that the session's key may not read are absent. */
export interface Used {
  readonly figures?: { readonly last: Compared; readonly today: Compared };
  /** How many there are, for the first steps; absent if the key may not list them. */
  readonly providers?: number;
  readonly keys?: number;
  /** Whether any request was counted in the last year. */
  readonly isUsed?: boolean;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const compare = async ({ from, to }: Span, signal: AbortSignal): Promise<Compared> => {
  const read = (back: number): Promise<Summary> =>
    get<Summary>('/analytics/summary', { query: { time_min: from - back, time_max: to - back }, signal });
  const [now, before] = await Promise.all([read(0), read(day)]);
  return { now, before };
};

/** Returns the last 24 hours including the current one, and the viewer's day up to the end of the current hour. */
const spans = (now: Date): { readonly last: Span; readonly today: Span } => {
  const to = Math.floor(now.getTime() / 1000 / hour) * hour + hour;
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime() / 1000;
  return { last: { from: to - day, to }, today: { from: midnight, to } };
};

const readFigures = async (now: Date, signal: AbortSignal): Promise<NonNullable<Used['figures']>> => {
  const { last, today } = spans(now);
  const [ofLast, ofToday] = await Promise.all([compare(last, signal), compare(today, signal)]);
  return { last: ofLast, today: ofToday };
};

const whether = async <Value>(isAllowed: boolean, read: () => Promise<Value>): Promise<Value | undefined> =>
  isAllowed ? read() : undefined;

const count = async (path: string, signal: AbortSignal): Promise<number> =>
  (await get<List<unknown>>(path, { query: { page_size: 1 }, signal })).total;

/** Whether requests of the last year were counted. */
const readIsUsed = async (now: Date, signal: AbortSignal): Promise<boolean> => {
  const to = Math.ceil(now.getTime() / 1000) + 1;
  const query = { time_min: to - 365 * day, time_max: to, step: 'day' };
  const { summary } = await get<Graph>('/analytics/graphs/requests', { query, signal });
  return (summary.total ?? 0) > 0;
};

/** Reads the figures that the session's key may read. */
export const readUsed = async (now: Date, signal: AbortSignal): Promise<Used> => {
  const asked = whether(may('analytics.view'), () => readFigures(now, signal));
  // The last year is read only if the last day has no requests.
  const used = async (): Promise<boolean> =>
    ((await asked)?.last.now.requests.total ?? 0) > 0 || readIsUsed(now, signal);
  const [figures, providers, keys, isUsed] = await Promise.all([
    asked,
    whether(may('providers.list'), () => count('/providers', signal)),
    whether(may('keys.list'), () => count('/api-keys', signal)),
    whether(may('analytics.view'), used),
  ]);
  return {
    ...(figures !== undefined && { figures }),
    ...(providers !== undefined && { providers }),
    ...(keys !== undefined && { keys }),
    ...(isUsed !== undefined && { isUsed }),
  };
};

/** Reads the latest failed requests of the last day; undefined if the session's key may not. */
export const readErrors = (now: Date, signal: AbortSignal): Promise<readonly FailedRequest[] | undefined> =>
  whether(may('logs.list'), async () => {
    const since = Math.floor(now.getTime() / 1000) - day;
    const query = { is_success: false, time_min: since, limit: 5 };
    return (await get<List<FailedRequest>>('/logs', { query, signal })).data;
  });

/** The budgets that are nearly used up, among the newest that were compared. */
export interface NearBudgets {
  readonly near: readonly NearLimit[];
  readonly compared: number;
  readonly total: number;
}

/** Reads the budgets that are nearly used up; undefined if the session's key may not. */
export const readBudgets = (signal: AbortSignal): Promise<NearBudgets | undefined> =>
  whether(may('policies.list'), async () => {
    const query = { include_usage: true };
    const { data, total } = await readWholeList<UsagePolicy>('/policies/usage-limits', { query, signal });
    return { near: nearLimit(data), compared: data.length, total };
  });

/** Reads the open circuits; none if the session's key may not. */
export const readOpenCircuits = async (signal: AbortSignal): Promise<readonly Circuit[]> =>
  ((await whether(may('configs.read'), () => loadCircuits(undefined, signal))) ?? []).filter(isOpen);
