import type { Reset } from '../limits/limits.ts';

/** When a counter that is looked at began, and when it begins anew, in milliseconds since the epoch. */
export interface LimitWindow {
  readonly begins: number;
  readonly ends: number;
}

const day = 86_400_000;
const lengths = { second: 1000, minute: 60_000, hour: 3_600_000, day } as const;

/** The epoch was on a Thursday: the first of these days before it. */
const weeksFrom = { monday: -3 * day, sunday: -4 * day } as const;

const repeated = (at: number, length: number, from: number): LimitWindow => {
  const begins = from + Math.floor((at - from) / length) * length;
  return { begins, ends: begins + length };
};

const monthAt = (at: number): LimitWindow => {
  const time = new Date(at);
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
  return { begins: Date.UTC(year, month), ends: Date.UTC(year, month + 1) };
};

/** The window of a counter at a time; undefined if it never begins anew. */
export const windowAt = (reset: Reset, at: number): LimitWindow | undefined => {
  switch (reset.every) {
    case 'never':
      return undefined;
    case 'month':
      return monthAt(at);
    case 'days':
      return repeated(at, reset.days * day, reset.from);
    case 'monday':
    case 'sunday':
      return repeated(at, 7 * day, weeksFrom[reset.every]);
    default:
      return repeated(at, lengths[reset.every], 0);
  }
};
