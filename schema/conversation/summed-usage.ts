import type { Usage } from './conversation.ts';

type Counts = { readonly [name: string]: number };

const summedCounts = (maps: readonly Counts[]): Counts => {
  const sums: Record<string, number> = {};
  for (const map of maps) for (const [name, count] of Object.entries(map)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
};

const figures = [
  ...(['cacheRead', 'cacheWrite', 'reasoning', 'audioSeconds'] as const),
  ...(['inputAudio', 'inputImage', 'outputAudio', 'outputImage', 'cacheReadAudio'] as const),
] as const;

const countMaps = ['cacheWriteByTtl', 'calls', 'billed'] as const;

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const stated = <Value>(values: readonly (Value | undefined)[]): readonly Value[] =>
  values.filter((value) => value !== undefined);

/** Sums the usage of several answers whose counts are all known. A figure that only some of them report is the sum of those. */
export const summedUsage = (usages: readonly Usage[]): Usage => {
  const sums = figures.flatMap((name): [string, number][] => {
    const counts = stated(usages.map((usage) => usage[name]));
    return counts.length === 0 ? [] : [[name, total(counts)]];
  });
  const maps = countMaps.flatMap((name): [string, Counts][] => {
    const found = stated(usages.map((usage): Counts | undefined => ({ ...usage[name] }))).filter(
      (map) => Object.keys(map).length > 0,
    );
    return found.length === 0 ? [] : [[name, summedCounts(found)]];
  });
  const tier = usages.find((usage) => usage.tier !== undefined)?.tier;
  return {
    input: total(usages.map(({ input }) => input)),
    output: total(usages.map(({ output }) => output)),
    ...Object.fromEntries(sums),
    ...Object.fromEntries(maps),
    ...(tier === undefined ? {} : { tier }),
  };
};
