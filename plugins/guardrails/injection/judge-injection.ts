import type { Check } from '../../sdk/guardrail/guardrail.ts';
import { findSignals } from './find-signals.ts';
import { distinct, toScore } from './signal.ts';

/** Rounds a score for display. */
const rounded = (score: number): number => Math.round(score * 100) / 100;

interface InjectionParameters {
  readonly threshold: number;
  readonly not: boolean;
}

/** Combines the signals of all texts into a score, and compares it with the threshold. */
export const judgeInjection =
  ({ threshold, not }: InjectionParameters): Check =>
  ({ spans }) => {
    const signals = distinct(spans.flatMap(({ text }) => findSignals(text)));
    const score = rounded(toScore(signals));
    const isFound = score >= threshold;
    return {
      pass: isFound === not,
      data: {
        explanation: `The text has a score of ${score} for prompt injection, ${isFound ? 'which reaches' : 'below'} the threshold of ${threshold}.`,
        score,
        threshold,
        signals: signals.map(({ name }) => name),
      },
    };
  };
