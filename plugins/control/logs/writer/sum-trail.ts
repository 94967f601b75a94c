import type { TrailEvent } from '../../../../schema/trail/trail.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';

type Attempted = Extract<TrailEvent, { kind: 'attempted' }>;

/** The attempts of a request, and their total usage. */
export interface TrailSums {
  attempts: number;
  retries: number;
  fellBack: 0 | 1;
  lastAttempt: Attempted | undefined;
  input: number;
  /** The input tokens that providers read from their caches. */
  cached: number;
  output: number;
  /** In billionths of a US dollar. */
  cost: number;
  /** The model of the last attempt that named one. */
  model: string | undefined;
}

const whole = (value: number): number => (Number.isSafeInteger(value) && value > 0 ? value : 0);

const addUsage = (to: TrailSums, { model, input, output, cost }: UsageRecord): void => {
  to.input += whole(input.total);
  to.cached += whole(input.cacheRead ?? 0);
  to.output += whole(output.total);
  to.cost += whole(cost?.nanoUsd ?? 0);
  if (model !== '') to.model = model;
};

/** Sums the attempts in a trail. */
export const sumTrail = (trail: readonly TrailEvent[]): TrailSums => {
  const sums: TrailSums = {
    attempts: 0,
    retries: 0,
    fellBack: 0,
    lastAttempt: undefined,
    input: 0,
    cached: 0,
    output: 0,
    cost: 0,
    model: undefined,
  };
  for (const event of trail) {
    if (event.kind === 'settled') addUsage(sums, event.usage);
    else if (event.kind === 'attempted') {
      sums.attempts += 1;
      sums.lastAttempt = event;
    } else if (event.kind === 'retried') sums.retries += 1;
    else if (event.kind === 'fellBack') sums.fellBack = 1;
  }
  return sums;
};
