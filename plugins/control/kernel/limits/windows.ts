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

/** Windows that follow each other at equal distances: how long they are, and when one of them begins. */
const regular = {
  second: { length: second, from: 0 },
  minute: { length: minute, from: 0 },
  hour: { length: hour, from: 0 },
  day: { length: day, from: 0 },
  // The first Monday and the first Sunday since the epoch, which was a Thursday.
  monday: { length: week, from: 4 * day },
  sunday: { length: week, from: 3 * day },
} as const;

const toMonth = (at: number): Window => {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
};

/** Finds the window that a moment is in, in UTC. Time is in milliseconds since the epoch, and so is the moment. */
export const toWindow = (reset: Reset, at: number): Window => {
  if (reset.every === 'never') return { start: 0 };
  if (reset.every === 'month') return toMonth(at);
  const { length, from } =
    reset.every === 'days' ? { length: reset.days * day, from: reset.from } : regular[reset.every];
  const start = from + Math.floor((at - from) / length) * length;
  return { start, end: start + length };
};
