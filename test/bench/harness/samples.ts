import { median } from './measure.ts';

/** The measurements: for each subject and figure, a value for each round. */
export class Samples {
  readonly #subjects = new Map<string, Map<string, number[]>>();

  record(subject: string, figure: string, value: number): void {
    const figures = this.#subjects.get(subject) ?? new Map<string, number[]>();
    this.#subjects.set(subject, figures.set(figure, [...(figures.get(figure) ?? []), value]));
  }

  rounds(subject: string, figure: string): readonly number[] {
    return this.#subjects.get(subject)?.get(figure) ?? [];
  }

  /** Returns the median of the rounds; NaN if nothing was measured. */
  figure(subject: string, figure: string): number {
    return median(this.rounds(subject, figure));
  }

  /**
   * Returns the minimum. Other work on the machine can only add to a figure, so the minimum of many short rounds contains the
   * least of it.
   */
  quickest(subject: string, figure: string): number {
    return Math.min(...(this.#subjects.get(subject)?.get(figure) ?? [Number.NaN]));
  }

  /** Returns the median of a figure's ratio to another subject's figure of the same round. */
  ratio(subject: string, figure: string, base: string): number {
    const bases = this.rounds(base, figure);
    return median(this.rounds(subject, figure).map((value, round) => value / (bases[round] ?? Number.NaN)));
  }

  /** Returns the median of a figure's difference from another subject's figure of the same round. */
  added(subject: string, figure: string, base: string): number {
    const bases = this.rounds(base, figure);
    return median(this.rounds(subject, figure).map((value, round) => value - (bases[round] ?? Number.NaN)));
  }
}
