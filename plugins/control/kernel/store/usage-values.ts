import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';

/** A value in a list that is written as JSON, where null stands for absent values. */
export type Listed<Value> = Value | null | undefined;

/**
 * The values of a usage record without the names of its members. As JSON, it is shorter than the record and faster to write and
 * read.
 */
export type UsageValues = readonly [
  kind: UsageRecord['kind'],
  model: string,
  tier: Listed<string>,
  input: number,
  cacheRead: Listed<number>,
  cacheWrite: Listed<UsageRecord['input']['cacheWrite']>,
  inputAudio: Listed<number>,
  inputImage: Listed<number>,
  output: number,
  reasoning: Listed<number>,
  outputAudio: Listed<number>,
  outputImage: Listed<number>,
  cacheHitRate: Listed<number>,
  calls: Listed<UsageRecord['calls']>,
  nanoUsd: Listed<number>,
  prices: Listed<string>,
];

export const usageValues = ({
  kind,
  model,
  tier,
  input,
  output,
  cacheHitRate,
  calls,
  cost,
}: UsageRecord): UsageValues => [
  kind,
  model,
  tier,
  input.total,
  input.cacheRead,
  input.cacheWrite,
  input.audio,
  input.image,
  output.total,
  output.reasoning,
  output.audio,
  output.image,
  cacheHitRate,
  calls,
  cost?.nanoUsd,
  cost?.prices,
];

const isGiven = <Value>(value: Listed<Value>): value is Value & {} => value !== null && value !== undefined;

/** Converts the values back to the record. */
export const usageOfValues = ([
  kind,
  model,
  tier,
  input,
  cacheRead,
  cacheWrite,
  inputAudio,
  inputImage,
  output,
  reasoning,
  outputAudio,
  outputImage,
  cacheHitRate,
  calls,
  nanoUsd,
  prices,
]: UsageValues): UsageRecord => ({
  kind,
  model,
  ...(isGiven(tier) ? { tier } : {}),
  input: {
    total: input,
    ...(isGiven(cacheRead) ? { cacheRead } : {}),
    ...(isGiven(cacheWrite) ? { cacheWrite } : {}),
    ...(isGiven(inputAudio) ? { audio: inputAudio } : {}),
    ...(isGiven(inputImage) ? { image: inputImage } : {}),
  },
  output: {
    total: output,
    ...(isGiven(reasoning) ? { reasoning } : {}),
    ...(isGiven(outputAudio) ? { audio: outputAudio } : {}),
    ...(isGiven(outputImage) ? { image: outputImage } : {}),
  },
  ...(isGiven(cacheHitRate) ? { cacheHitRate } : {}),
  ...(isGiven(calls) ? { calls } : {}),
  ...(isGiven(prices) ? { cost: { nanoUsd: nanoUsd as number, prices } } : {}),
});
