import type { Attempt } from './whole-record.ts';

/** The bar of an attempt in thousandths of the whole width: until its first byte, and to its end. */
export interface Bar {
  readonly start: number;
  readonly head: number;
  readonly end: number;
}

const width = 1000;
/** So that what took no time is seen. */
const min = 4;

/** Lays out attempts over the time of the request, in milliseconds. Times that the log lacks are those of the request. */
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
