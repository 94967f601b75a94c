/** The settings of a hedge: when a fallback calls its second branch in addition to its first. */
export interface Hedge {
  /** How long the first branch may take before that, in milliseconds. */
  readonly afterMs: number;
  /** How many of 100 visits to the fallback may call two branches. Each visit earns this part of a call. */
  readonly budgetPercent: number;
}

/** The longest time before a hedge, in milliseconds. */
const maxAfterMs = 600_000;

/** The cost of one hedge, in hundredths of a call. */
const hedgeCost = 100;

/** The most that is saved up for a burst of slow responses, in hundredths of a call. */
const maxEarned = 10 * hedgeCost;

/** Returns the earnings of a fallback after one more visit, in hundredths of a call. */
export const addEarnings = (earned: number, { budgetPercent }: Hedge): number =>
  Math.min(earned + budgetPercent, maxEarned);

/** Subtracts the cost of one hedge. Returns undefined if less than that was earned. */
export const spendHedge = (earned: number): number | undefined => (earned < hedgeCost ? undefined : earned - hedgeCost);

/** Refunds the cost of a hedge that sent nothing. */
export const refund = (earned: number): number => Math.min(earned + hedgeCost, maxEarned);

const isWithin = (value: unknown, max: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;

/** Finds the first invalid member of a hedge, and what it must be. */
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
