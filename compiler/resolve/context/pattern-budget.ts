import type { Trust } from '../../../schema/config/trust.ts';
import { regexCost } from '../../../schema/text/regex-cost.ts';

/** Decides, before patterns are compiled, whether a config may contain another one. */
export interface PatternBudget {
  /** Returns whether a pattern is admitted. One that was admitted before is admitted again, because it is compiled only once. */
  admits(pattern: string): boolean;
}

/** The total cost that the patterns of a caller's config may have, as counted by `regexCost`: some ten milliseconds. */
const maxWork = 10_000;

const anything: PatternBudget = { admits: () => true };

/** Operators wait only for their own configs. A caller's config is compiled while the requests of others wait. */
export const patternBudget = (trust: Trust): PatternBudget => {
  if (trust === 'operator') return anything;
  const admitted = new Set<string>();
  let left = maxWork;
  return {
    admits(pattern) {
      if (admitted.has(pattern)) return true;
      const { work } = regexCost(pattern);
      // A pattern that is too large by itself is not compiled, and has a diagnostic of its own.
      if (work > maxWork) return true;
      if (work > left) return false;
      left -= work;
      admitted.add(pattern);
      return true;
    },
  };
};
