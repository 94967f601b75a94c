import type { Attempt } from './whole-record.ts';

/** The bar of an attempt, in thousandths of the width: one part until its first byte, one until its end. */
export interface Bar {
  readonly start: number;
  readonly head: number;
  readonly end: number;
}

const width = 1000;
/** The minimum width, so that an attempt that took no time stays visible. */
const min = 4;

/** Lays out attempts on the time axis of the request, in milliseconds. Missing times default to those of the request. */
export const layOutAttempts = (attempts: readonly Attempt[], totalMs: number): readonly Bar[] => {
  const whole = Math.max(
    totalMs,
    1e-3,
    ...attempts.map(({ last_byte_ms, first_byte_ms }) => last_byte_ms ?? first_byte_ms ?? 0),
  );
  const place = (ms: number): number => Math.min(width, Math.max(0, (ms / whole) * width));
  return attempts.map(({ sent_ms = 0, first_byte_ms, last_byte_ms }) => {
    const start = Math.min(place(sent_ms), width - min);
    const end = Math.max(place(last_byte_ms ?? first_byte_ms ?? whole), start + min);
    return { start, head: Math.min(Math.max(place(first_byte_ms ?? last_byte_ms ?? whole), start), end), end };
  });
};
