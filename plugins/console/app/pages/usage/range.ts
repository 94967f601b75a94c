/** The span of time that a page shows, in seconds since the epoch, and the time of a point. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly step: 'minute' | 'hour' | 'day';
}

const hour = 3600;
const day = 24 * hour;

export type Preset = '1h' | '6h' | '24h' | '7d' | '30d' | '90d';

/** The seconds of the ranges that can be picked. */
export const presets: Readonly<Record<Preset, number>> = {
  '1h': hour,
  '6h': 6 * hour,
  '24h': day,
  '7d': 7 * day,
  '30d': 30 * day,
  '90d': 90 * day,
};

export const defaultPreset: Preset = '24h';

/** The seconds of a step. */
export const secondsOf: Readonly<Record<Range['step'], number>> = { minute: 60, hour: 3600, day };

export const isPreset = (name: string | null): name is Preset => name !== null && Object.hasOwn(presets, name);

/** A time is shown by minutes up to six hours, by hours up to a week, and then by days. */
const stepFor = (seconds: number): Range['step'] => {
  if (seconds <= 6 * hour) return 'minute';
  return seconds <= 7 * day ? 'hour' : 'day';
};

/** The most days that the control plane answers at once. */
const maxDays = 400;

const readSeconds = (text: string | null): number | undefined =>
  text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined;

/** Reads the range of an address: `from` and `to`, or one of the presets up to now. */
export const readRange = (query: URLSearchParams, now: number): Range => {
  const [from, to] = [readSeconds(query.get('from')), readSeconds(query.get('to'))];
  if (from !== undefined && to !== undefined && from < to && to - from <= maxDays * day)
    return { from, to, step: stepFor(to - from) };
  const name = query.get('range');
  const seconds = presets[isPreset(name) ? name : defaultPreset];
  const step = stepFor(seconds);
  const width = secondsOf[step];
  // The step that has begun is the last one.
  const end = Math.floor(now / width) * width + width;
  return { from: end - seconds, to: end, step };
};

/** The period before, whose points are as many. */
export const rangeBefore = ({ from, to, step }: Range): Range => {
  const width = secondsOf[step];
  const begin = Math.floor(from / width) * width;
  const span = Math.ceil((to - begin) / width) * width;
  return { from: begin - span, to: to - span, step };
};

/** Less than this has no line. */
const minSeconds = 120;

/** Why a time cannot be shown. */
export type RangeProblem = 'short' | 'long';

/** Finds why the time from one moment to another cannot be shown. */
export const rangeProblem = (from: number, to: number): RangeProblem | undefined => {
  if (!(to - from >= minSeconds)) return 'short';
  return to - from > maxDays * day ? 'long' : undefined;
};

/** The members of an address for a part of a chart that was brushed; undefined for one that is too short. */
export const brushed = (from: number, to: number): { readonly from: string; readonly to: string } | undefined => {
  const [begin, end] = [Math.floor(Math.min(from, to)), Math.ceil(Math.max(from, to))];
  return end - begin < minSeconds ? undefined : { from: String(begin), to: String(end) };
};
