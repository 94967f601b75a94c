/** The time range that a page shows, in seconds since the epoch, and the time between two points. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly step: 'minute' | 'hour' | 'day';
}

const hour = 3600;
const day = 24 * hour;

export type Preset = '1h' | '6h' | '24h' | '7d' | '30d' | '90d';

/** The preset ranges, in seconds. */
export const presets: Readonly<Record<Preset, number>> = {
  '1h': hour,
  '6h': 6 * hour,
  '24h': day,
  '7d': 7 * day,
  '30d': 30 * day,
  '90d': 90 * day,
};

export const defaultPreset: Preset = '24h';

/** The length of each step in seconds. */
export const secondsOf: Readonly<Record<Range['step'], number>> = { minute: 60, hour: 3600, day };

export const isPreset = (name: string | null): name is Preset => name !== null && Object.hasOwn(presets, name);

/** Returns the step for a range: minutes up to six hours, hours up to a week, days for longer ones. */
const stepFor = (seconds: number): Range['step'] => {
  if (seconds <= 6 * hour) return 'minute';
  return seconds <= 7 * day ? 'hour' : 'day';
};

/** The most days that the control plane returns at once. */
const maxDays = 400;

const readSeconds = (text: string | null): number | undefined =>
  text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined;

/** Reads the range from an address: `from` and `to`, or a preset that ends now. */
export const readRange = (query: URLSearchParams, now: number): Range => {
  const [from, to] = [readSeconds(query.get('from')), readSeconds(query.get('to'))];
  if (from !== undefined && to !== undefined && from < to && to - from <= maxDays * day)
    return { from, to, step: stepFor(to - from) };
  const name = query.get('range');
  const seconds = presets[isPreset(name) ? name : defaultPreset];
  const step = stepFor(seconds);
  const width = secondsOf[step];
  // The range ends with the current step.
  const end = Math.floor(now / width) * width + width;
  return { from: end - seconds, to: end, step };
};

/** Returns the previous period, with the same number of points. */
export const rangeBefore = ({ from, to, step }: Range): Range => {
  const width = secondsOf[step];
  const begin = Math.floor(from / width) * width;
  const span = Math.ceil((to - begin) / width) * width;
  return { from: begin - span, to: to - span, step };
};

/** A shorter range has no line. */
const minSeconds = 120;

/** Why a range cannot be shown. */
export type RangeProblem = 'short' | 'long';

/** Returns why a range cannot be shown, or undefined if it can. */
export const rangeProblem = (from: number, to: number): RangeProblem | undefined => {
  if (!(to - from >= minSeconds)) return 'short';
  return to - from > maxDays * day ? 'long' : undefined;
};

/** Returns the members of the address for a range selected in a chart; undefined if it is too short. */
export const brushed = (from: number, to: number): { readonly from: string; readonly to: string } | undefined => {
  const [begin, end] = [Math.floor(Math.min(from, to)), Math.ceil(Math.max(from, to))];
  return end - begin < minSeconds ? undefined : { from: String(begin), to: String(end) };
};
