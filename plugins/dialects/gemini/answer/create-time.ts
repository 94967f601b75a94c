/** The last second of the year 9999: RFC 3339 has no later years. */
const lastSecond = 253_402_300_799;

/** Seconds since the epoch as a timestamp; undefined for a number that is no time of this calendar. */
export const encodeCreateTime = (seconds: number | undefined): string | undefined =>
  seconds === undefined || seconds < 0 || seconds > lastSecond ? undefined : new Date(seconds * 1000).toISOString();
