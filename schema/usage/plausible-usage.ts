import type { Usage } from '../conversation/conversation.ts';

/** More tokens than a single response can have. */
const maxTokens = 1_000_000_000;

/** A week. */
const maxSeconds = 604_800;

const isCount = (count = 0): boolean => Number.isSafeInteger(count) && count >= 0 && count <= maxTokens;

const isDuration = (seconds = 0): boolean => seconds >= 0 && seconds <= maxSeconds;

const areCounts = (byName: { readonly [name: string]: number } | undefined): boolean => {
  if (byName === undefined) return true;
  const counts = Object.values(byName);
  return counts.every(isCount) && isCount(counts.reduce((sum, count) => sum + count, 0));
};

/** Whether figures can be those of a response. Others, such as -5, 0.5 or 10¹⁵ tokens, say nothing about what it used. */
export const isPlausibleUsage = (usage: Usage): boolean =>
  isCount(usage.input) &&
  isCount(usage.output) &&
  isCount(usage.atLeast) &&
  isCount(usage.cacheRead) &&
  isCount(usage.cacheReadAudio) &&
  isCount(usage.cacheWrite) &&
  isCount(usage.reasoning) &&
  isCount(usage.inputAudio) &&
  isCount(usage.inputImage) &&
  isCount(usage.outputAudio) &&
  isCount(usage.outputImage) &&
  isDuration(usage.audioSeconds) &&
  isCount(usage.billed?.input) &&
  isCount(usage.billed?.output) &&
  areCounts(usage.cacheWriteByTtl) &&
  areCounts(usage.calls);

/** Returns the usage, or undefined if no response can have used it. A client would add up such figures, or charge for them. */
export const plausibleUsage = (usage: Usage): Usage | undefined => (isPlausibleUsage(usage) ? usage : undefined);
