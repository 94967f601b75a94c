/** When a fallback asks its second branch beside its first. */
export interface Hedge {
  /** How long the first branch may take before, in milliseconds. */
  readonly afterMs: number;
  /** How many of 100 visits of the fallback may ask two branches: each visit earns that part of a call. */
  readonly budgetPercent: number;
}

/** The longest time before a hedge, in milliseconds. */
const maxAfterMs = 600_000;

/** Hundredths of a call that one hedge costs. */
const hedgeCost = 100;

/** Hundredths of a call that are kept for a burst of slow answers. */
const maxEarned = 10 * hedgeCost;

/** The hundredths of a call that a fallback has earned after one more visit. */
export const earn = (earned: number, { budgetPercent }: Hedge): number => Math.min(earned + budgetPercent, maxEarned);

/** What is left after a hedge; undefined if what was earned is not enough for one. */
export const spend = (earned: number): number | undefined => (earned < hedgeCost ? undefined : earned - hedgeCost);

/** What there is after a hedge that sent nothing. */
export const refund = (earned: number): number => Math.min(earned + hedgeCost, maxEarned);

const isWithin = (value: unknown, max: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;

/** The first invalid member of a hedge, and what belongs there. */
export const hedgeError = ({
  afterMs,
  budgetPercent,
}: {
  readonly afterMs?: unknown;
  readonly budgetPercent?: unknown;
}): { readonly name: keyof Hedge; readonly expected: string } | undefined => {
  if (!isWithin(afterMs, maxAfterMs)) return { name: 'afterMs', expected: `a whole number from 1 to ${maxAfterMs}` };
  if (!isWithin(budgetPercent, 100)) return { name: 'budgetPercent', expected: 'a whole number from 1 to 100' };
  return undefined;
};
