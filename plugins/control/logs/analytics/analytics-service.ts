import { dayMs, hourMs, startOfHour } from '../../../../schema/durations.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import { addedUp } from '../recording/hour-rows.ts';
import type { LogParts } from '../store/log-parts.ts';
import { type HourRange, type HourTotals, sumHours } from './analytics-store.ts';
import { graphs } from './graphs.ts';

export interface Graph {
  readonly summary: JsonObject;
  readonly data_points: readonly JsonObject[];
}

type Totals = Omit<HourTotals, 'hour'>;

/** A longer time is shown by days. */
const maxHours = 7 * 24;

const nothing: Totals = {
  ...{ requests: 0, errors: 0, micros: 0, most_micros: 0, input_tokens: 0, output_tokens: 0, cost: 0 },
  ...{ cache_hits: 0, cache_misses: 0 },
};

const together = (first: Totals, second: Totals): Totals => ({
  ...first,
  ...Object.fromEntries(addedUp.map((name) => [name, first[name] + second[name]])),
  most_micros: Math.max(first.most_micros, second.most_micros),
});

/** The totals of each step of the time, also of those without requests. */
const toSteps = (
  hours: readonly HourTotals[],
  { min, max }: Pick<HourRange, 'min' | 'max'>,
): ReadonlyMap<number, Totals> => {
  const step = max - min > maxHours * hourMs ? dayMs : hourMs;
  const steps = new Map<number, Totals>();
  for (let at = Math.floor(min / step) * step; at < max; at += step) steps.set(at, nothing);
  for (const { hour, ...totals } of hours) {
    const at = Math.floor(hour / step) * step;
    steps.set(at, together(steps.get(at) ?? nothing, totals));
  }
  return steps;
};

/** Draws graphs of the hours of a workspace. Rejects as the store does. */
export const createAnalyticsService =
  ({ store }: Pick<LogParts, 'store'>) =>
  async (graph: string, range: HourRange): Promise<Graph> => {
    const { figures = () => ({}) } = graphs[graph] ?? {};
    const from = startOfHour(range.min);
    const hours = await sumHours(store(), { ...range, min: from, max: Math.ceil(range.max) });
    const steps = toSteps(hours, { min: from, max: range.max });
    return {
      summary: figures(hours.reduce<Totals>(together, nothing)),
      data_points: [...steps].map(([at, totals]) => ({ timestamp: toSeconds(at), ...figures(totals) })),
    };
  };
