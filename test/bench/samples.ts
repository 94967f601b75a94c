import { median } from './measure.ts';

/** What was measured: for each subject and figure, a value of each round. */
export class Samples {
  readonly #subjects = new Map<string, Map<string, number[]>>();

  record(subject: string, figure: string, value: number): void {
    const figures = this.#subjects.get(subject) ?? new Map<string, number[]>();
    this.#subjects.set(subject, figures.set(figure, [...(figures.get(figure) ?? []), value]));
  }

  rounds(subject: string, figure: string): readonly number[] {
    return this.#subjects.get(subject)?.get(figure) ?? [];
  }

  /** The median of the rounds; NaN where nothing was measured. */
  figure(subject: string, figure: string): number {
    return median(this.rounds(subject, figure));
  }

  /** Other work on the machine only ever adds to a figure, so that the least of many short rounds has least of it. */
  quickest(subject: string, figure: string): number {
    return Math.min(...(this.#subjects.get(subject)?.get(figure) ?? [Number.NaN]));
  }

  /** A figure as a multiple of another subject's in the same round: the median of the rounds. */
  ratio(subject: string, figure: string, base: string): number {
    const bases = this.rounds(base, figure);
    return median(this.rounds(subject, figure).map((value, round) => value / (bases[round] ?? Number.NaN)));
  }

  /** A figure less another subject's in the same round: the median of the rounds. */
  added(subject: string, figure: string, base: string): number {
    const bases = this.rounds(base, figure);
    return median(this.rounds(subject, figure).map((value, round) => value - (bases[round] ?? Number.NaN)));
  }
}
