import { canonicalJson } from '../../schema/json/canonical.ts';
import type { Meaning, ScenarioOutcome } from './outcome.ts';
import { add, formatRational, type Rational, zero } from './rational.ts';

interface Case {
  readonly outcome: ScenarioOutcome;
  readonly probability: Rational;
}

/** Merges equal outcomes and adds their probabilities; sorts by canonical JSON. */
export const mergeOutcomes = (cases: readonly Case[]): Meaning => {
  const merged = new Map<string, Case>();
  for (const { outcome, probability } of cases) {
    const text = canonicalJson(outcome);
    const before = merged.get(text)?.probability ?? zero;
    merged.set(text, { outcome, probability: add(before, probability) });
  }
  return [...merged]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { outcome, probability }]) => ({ probability: formatRational(probability), outcome }));
};
