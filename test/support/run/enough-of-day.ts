import { setTimeout } from 'node:timers/promises';

const dayMs = 86_400_000;
const enoughMs = 15_000;

/** Resolves as soon as the day in UTC lasts for at least 15 more seconds, because daily counters start anew at its end. */
export const enoughOfDay = async (): Promise<void> => {
  const leftMs = dayMs - (Date.now() % dayMs);
  if (leftMs < enoughMs) await setTimeout(leftMs + 10);
};
