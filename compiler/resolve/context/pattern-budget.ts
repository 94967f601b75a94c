import type { Trust } from '../../../schema/config/trust.ts';
import { regexCost } from '../../../schema/text/regex-cost.ts';

/** Decides, before patterns are compiled, whether a config may bring one more of them. */
export interface PatternBudget {
  /** A pattern that was admitted before is admitted again: it is compiled once. */
  admits(pattern: string): boolean;
}

/** The cost that the patterns of a caller's config may have together, as `regexCost` counts: some ten milliseconds. */
const maxWork = 10_000;

const anything: PatternBudget = { admits: () => true };

/** Operators wait for their own configs only. A caller's is compiled while the requests of others wait. */
export const patternBudget = (trust: Trust): PatternBudget => {
  if (trust === 'operator') return anything;
  const admitted = new Set<string>();
  let left = maxWork;
  return {
    admits(pattern) {
      if (admitted.has(pattern)) return true;
      const { work } = regexCost(pattern);
      // One that is too large by itself is not compiled, and has a diagnostic of its own.
      if (work > maxWork) return true;
      if (work > left) return false;
      left -= work;
      admitted.add(pattern);
      return true;
    },
  };
};
