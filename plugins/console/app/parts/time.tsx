import { toDateTime, toPreciseTime, toRelative } from './formats.ts';

/** A moment in the viewer's zone. `seconds` is Unix time, as the control API gives it; the exact time is its tooltip. */
export const Time = ({ seconds, isRelative = false }: { readonly seconds: number; readonly isRelative?: boolean }) => {
  const ms = seconds * 1000;
  return (
    <time dateTime={new Date(ms).toISOString()} title={toPreciseTime(ms)}>
      {isRelative ? toRelative(ms) : toDateTime(ms)}
    </time>
  );
};
