import { dayMs, hourMs, startOfHour } from '../../../../schema/durations.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import { dimensions, everything, labelPrefix } from '../writer/dimensions.ts';
import { addedToSplits, addSums, emptySums, type SplitSums } from '../writer/hour-sums.ts';
import type { LogStore } from '../writer/log-store.ts';
import type { Graph, Unknown } from './graphs.ts';
import {
  firstSplitAt,
  type Hours,
  hasAllSplits,
  hasOthers,
  type SplitValue,
  type Steps,
  sumHours,
  sumSplits,
  topValues,
} from './read-hours.ts';
import { readSample, type Sample } from './read-sample.ts';

/** The split of an organisation's requests by workspace. */
export const byWorkspace = 'workspace';

/** The requests that a graph covers, and its points. */
export interface Drawing {
  readonly tenant: string;
  /** Present if all workspaces of the organisation are drawn. */
  readonly organisation: string | undefined;
  /** In milliseconds since the epoch: from `min`, inclusive, to `max`, exclusive. */
  readonly min: number;
  readonly max: number;
  /** The time between two points, in milliseconds. */
  readonly step: number;
  /** The values that requests must have, by dimension. */
  readonly filter: ReadonlyMap<string, string>;
  readonly split: string | undefined;
  /** The maximum number of values with their own points. */
  readonly limit: number;
  /** The labels that have hourly sums. */
  readonly labels: readonly string[];
}

/** Requests with one value, or those with any of the remaining values. */
interface Series {
  readonly value: SplitValue;
  readonly isOther?: true;
  readonly steps: Steps;
}

interface Drawn {
  readonly all: Steps;
  readonly series?: readonly Series[];
  readonly unknown: ReadonlySet<Unknown>;
  /** The share of requests that was read, if not all were. */
  readonly share?: number;
}

const columnsOfHours: ReadonlySet<string> = new Set(['key_id', 'config', 'prompt_slug', 'provider', 'model', 'status']);

const nothing: ReadonlySet<Unknown> = new Set();
/** Sums of sampled records do not have these. */
const notSampled: ReadonlySet<Unknown> = new Set(['firsts', 'cached_tokens', 'most_micros']);

const isSummed = (name: string, labels: readonly string[]): boolean =>
  name.startsWith(labelPrefix)
    ? labels.includes(name.slice(labelPrefix.length))
    : dimensions.some((dimension) => dimension === name);

const total = (steps: Steps): SplitSums => {
  const sum = emptySums();
  for (const sums of steps.values()) addSums(sum, sums);
  return sum;
};

const requestsOf = ({ steps }: Series): number => [...steps.values()].reduce((sum, { requests }) => sum + requests, 0);

/** Returns the sums that remain after subtracting those of some series. */
const without = (all: Steps, series: readonly Series[]): Steps => {
  const left: Steps = new Map();
  for (const [at, sums] of all) {
    const rest = emptySums();
    addSums(rest, sums);
    for (const { steps } of series) {
      const taken = steps.get(at);
      if (taken === undefined) continue;
      for (const name of addedToSplits) rest[name] -= taken[name];
      for (const times of ['durations', 'firsts'] as const)
        for (const [bucket, count] of taken[times]) rest[times].set(bucket, (rest[times].get(bucket) ?? 0) - count);
    }
    if (rest.requests > 0) left.set(at, rest);
  }
  return left;
};

const withOthers = (all: Steps, series: readonly Series[]): readonly Series[] => {
  const others = without(all, series);
  return others.size === 0 ? series : [...series, { value: null, isOther: true, steps: others }];
};

const ofSample = ({ series, share }: Sample, { split, limit }: Drawing): Drawn => {
  const all: Steps = new Map();
  for (const steps of series.values())
    for (const [at, sums] of steps) {
      const sum = all.get(at) ?? emptySums();
      addSums(sum, sums);
      all.set(at, sum);
    }
  const drawn = { all, unknown: notSampled, ...(share < 1 && { share }) };
  if (split === undefined) return drawn;
  const listed = [...series].map(([value = null, steps]) => ({ value, steps }));
  const sorted = listed.sort((a, b) => requestsOf(b) - requestsOf(a)).slice(0, limit);
  return { ...drawn, series: withOthers(all, sorted) };
};

const needsTimes = ({ of }: Graph): boolean => of.includes('durations') || of.includes('firsts');

/** Reads the sums of a split from the hours. */
const readSplit = async (log: LogStore, hours: Hours, drawing: Drawing, graph: Graph): Promise<Drawn> => {
  const isByWorkspace = drawing.split === byWorkspace;
  const dimension = isByWorkspace || drawing.split === undefined ? everything : drawing.split;
  const withTimes = needsTimes(graph);
  const wanted = { dimension, byWorkspace: isByWorkspace, withTimes };
  const values = await topValues(log, hours, { ...wanted, limit: drawing.limit });
  const found = await sumSplits(log, hours, { ...wanted, values });
  const together = await sumSplits(log, hours, { dimension: everything, withTimes });
  const all = together.get(undefined) ?? new Map();
  const series = values.map((value) => ({ value, steps: found.get(value) ?? new Map() }));
  return { all, series: withOthers(all, series), unknown: nothing };
};

/**
 * Reads the sums of all requests, or of those with one value, from the hours by dimension; undefined if these may be incomplete.
 */
const readOne = async (log: LogStore, hours: Hours, drawing: Drawing, graph: Graph): Promise<Steps | undefined> => {
  const [first, ...further] = drawing.filter;
  if (further.length > 0) return undefined;
  const [dimension, value] = first ?? [everything, undefined];
  if (first !== undefined && (!isSummed(dimension, drawing.labels) || (await hasOthers(log, hours, dimension))))
    return undefined;
  const values = value === undefined ? undefined : [value];
  const found = await sumSplits(log, hours, { dimension, values, withTimes: needsTimes(graph) });
  return found.get(value) ?? new Map();
};

/** Adds the members that hours by all dimensions do not have, from sums by one dimension. */
const completed = (plain: Steps, beside: Steps): Steps => {
  const all: Steps = new Map();
  for (const [at, sums] of plain) {
    const { durations, firsts, cached_tokens, rescued } = beside.get(at) ?? emptySums();
    all.set(at, { ...sums, durations, firsts, cached_tokens, rescued });
  }
  return all;
};

const toOwner = ({ organisation, tenant }: Drawing): Hours['owner'] =>
  organisation === undefined ? { workspace: tenant } : { organisation };

const readSums = async (log: LogStore, graph: Graph, drawing: Drawing): Promise<Drawn> => {
  const { tenant, min, max, step, filter, split, labels } = drawing;
  const hours: Hours = { owner: toOwner(drawing), min: startOfHour(min), max: Math.ceil(max), step };
  const sampled = async (): Promise<Drawn> => {
    const whole = { ...hours, max: Math.ceil(max / hourMs) * hourMs };
    return ofSample(await readSample(log, whole, { tenant, filter, split }), drawing);
  };
  if (step < hourMs) return sampled();
  if (split !== undefined) {
    const isExact = filter.size === 0 && (split === byWorkspace || isSummed(split, labels));
    return isExact ? readSplit(log, hours, drawing, graph) : sampled();
  }
  const names = [...filter.keys()];
  const isOfHours = names.every((name) => columnsOfHours.has(name));
  const isFew = !isOfHours || (filter.size === 0 && (await hasAllSplits(log, { tenant, min: hours.min })));
  const one = isFew || graph.of.length > 0 ? await readOne(log, hours, drawing, graph) : undefined;
  if (isFew) return one === undefined ? sampled() : { all: one, unknown: nothing };
  const { prompt_slug: prompt, status, ...given } = Object.fromEntries(filter);
  const plain = await sumHours(log, {
    ...hours,
    tenant,
    filter: {
      ...given,
      ...(prompt !== undefined && { prompt }),
      ...(status !== undefined && { status: Number(status) }),
    },
  });
  if (graph.of.length === 0) return { all: plain, unknown: nothing };
  if (one !== undefined) return { all: completed(plain, one), unknown: nothing };
  // Counts are exact, but durations are not stored for several values at once.
  const drawn = await sampled();
  const most: Unknown = 'most_micros';
  return {
    ...drawn,
    all: completed(plain, drawn.all),
    unknown: new Set([...drawn.unknown].filter((name) => name !== most)),
  };
};

const firstStep = ({ min, step }: Drawing): number =>
  Math.floor((step < hourMs ? min : startOfHour(min)) / step) * step;

const isWithin = (drawing: Drawing): ((steps: Steps) => Steps) => {
  const from = firstStep(drawing);
  return (steps) => new Map([...steps].filter(([at]) => at >= from && at < drawing.max));
};

/** Returns the share of the requests that the figures cover, and since when they are known, unless they are complete. */
const reservations = async (log: LogStore, graph: Graph, drawing: Drawing, { share }: Drawn): Promise<JsonObject> => {
  const isOfSplits = drawing.split !== undefined || graph.of.length > 0;
  const first = isOfSplits ? await firstSplitAt(log, { ...drawing, owner: toOwner(drawing) }) : undefined;
  return {
    ...(share !== undefined && { sampled: true, share: Math.round(share * 10_000) / 10_000 }),
    ...(first !== undefined && first > firstStep(drawing) && { splits_from: toSeconds(first) }),
  };
};

/** Adds up the figures of a graph over its whole time range. Rejects like the store. */
export const sumGraph = async (log: LogStore, graph: Graph, drawing: Drawing): Promise<JsonObject> => {
  const drawn = await readSums(log, graph, drawing);
  return {
    ...graph.figures(total(isWithin(drawing)(drawn.all)), drawn.unknown),
    ...(await reservations(log, graph, drawing, drawn)),
  };
};

/** Draws a graph of requests in time steps, including steps without requests. Rejects like the store. */
export const drawGraph = async (log: LogStore, graph: Graph, drawing: Drawing): Promise<JsonObject> => {
  const { max, step } = drawing;
  const from = firstStep(drawing);
  const drawn = await readSums(log, graph, drawing);
  const { unknown } = drawn;
  const within = isWithin(drawing);
  const shown = (steps: Steps, isOther: boolean): JsonObject => {
    const points = [];
    // The maximum of the remaining requests is not known.
    const lacking: ReadonlySet<Unknown> = isOther ? new Set([...unknown, 'most_micros']) : unknown;
    for (let at = from; at < max; at += step)
      points.push({ timestamp: toSeconds(at), ...graph.figures(steps.get(at) ?? emptySums(), lacking) });
    return { summary: graph.figures(total(steps), lacking), data_points: points };
  };
  return {
    ...shown(within(drawn.all), false),
    step: step / 1000,
    ...(drawn.series !== undefined && {
      splits: drawn.series.map(({ value, isOther, steps }) => ({
        value,
        ...(isOther === true && { is_other: true }),
        ...shown(within(steps), isOther === true),
      })),
    }),
    ...(await reservations(log, graph, drawing, drawn)),
  };
};

/** A longer time range is shown by days. */
const maxHours = 7 * 24;

/** Returns the default time between two points. */
export const defaultStep = ({ min, max }: Pick<Drawing, 'min' | 'max'>): number =>
  max - min > maxHours * hourMs ? dayMs : hourMs;
