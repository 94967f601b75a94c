import type { Reset } from './limit-policy.ts';

/** The time in which a counter counts, in milliseconds since the epoch. */
export interface Window {
  /** 0 if the counter never begins anew. */
  readonly start: number;
  /** The first moment after it; absent if the counter never begins anew. */
  readonly end?: number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;

/** The first Monday and the first Sunday since the epoch, which was a Thursday. */
const firstMonday = 4 * day;
const firstSunday = 3 * day;

const aligned = (at: number, { length, from = 0 }: { readonly length: number; readonly from?: number }): Window => {
  const start = from + Math.floor((at - from) / length) * length;
  return { start, end: start + length };
};

const toMonth = (at: number): Window => {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
};

/** The window that a moment is in, in UTC. Time is in milliseconds since the epoch, and so is the moment. */
export const toWindow = (reset: Reset, at: number): Window => {
  switch (reset.every) {
    case 'second':
      return aligned(at, { length: second });
    case 'minute':
      return aligned(at, { length: minute });
    case 'hour':
      return aligned(at, { length: hour });
    case 'day':
      return aligned(at, { length: day });
    case 'monday':
      return aligned(at, { length: week, from: firstMonday });
    case 'sunday':
      return aligned(at, { length: week, from: firstSunday });
    case 'month':
      return toMonth(at);
    case 'days':
      return aligned(at, { length: reset.days * day, from: reset.from });
    case 'never':
      return { start: 0 };
  }
};
