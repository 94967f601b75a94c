import { toDateTime, toPreciseTime, toRelative } from './formats.ts';

/** A time in the viewer's time zone. `seconds` is the Unix time of the control API. The tooltip shows the exact time. */
export const Time = ({ seconds, isRelative = false }: { readonly seconds: number; readonly isRelative?: boolean }) => {
  const ms = seconds * 1000;
  return (
    <time dateTime={new Date(ms).toISOString()} title={toPreciseTime(ms)}>
      {isRelative ? toRelative(ms) : toDateTime(ms)}
    </time>
  );
};
