import { unitTexts } from '../texts/units.ts';

const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const precise = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const integer = new Intl.NumberFormat();

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats a Unix time in milliseconds in the viewer's time zone. */
export const toDateTime = (ms: number): string => dateTime.format(ms);

/** Formats a time in full, with the name of the zone. */
export const toPreciseTime = (ms: number): string => `${precise.format(ms)} (${zone()})`;

/** Formats a time relative to now: `5 minutes ago`, `in 2 days`. */
export const toRelative = (ms: number, now: number = Date.now()): string => {
  const seconds = Math.round((ms - now) / 1000);
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const);
  return relative.format(Math.trunc(seconds / size), unit);
};

export const toInteger = (value: number): string => integer.format(value);

/** Formats US dollars with two decimals, or with as many as a small amount needs. */
export const toMoney = (usd: number): string => {
  const digits = usd !== 0 && Math.abs(usd) < 1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 2 };
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    ...digits,
  }).format(usd);
};

/** Formats a duration: `850 ms`, `1.2 s`, `3 min 5 s`. */
export const toDuration = (ms: number): string => {
  if (ms < 1000) return unitTexts.milliseconds(String(Math.round(ms)));
  if (ms < 60_000) return unitTexts.seconds((ms / 1000).toFixed(ms < 10_000 ? 2 : 1));
  const seconds = Math.round(ms / 1000);
  return unitTexts.minutes(Math.floor(seconds / 60), seconds % 60);
};
