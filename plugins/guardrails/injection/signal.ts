/** Something in a text that speaks for an injection. */
export interface Signal {
  readonly name: string;
  /** How much it says: 0 is nothing, 1 is certainty. */
  readonly weight: number;
}

/** Finds the signals of a text. */
export type SignalFinder = (text: string) => readonly Signal[];

/** How likely signals make an injection, from 0 to 1: as if each were wrong independently of the others. */
export const toScore = (signals: readonly Signal[]): number =>
  1 - signals.reduce((rest, { weight }) => rest * (1 - weight), 1);

/** Each signal once. */
export const distinct = (signals: readonly Signal[]): readonly Signal[] => [
  ...new Map(signals.map((signal) => [signal.name, signal])).values(),
];
