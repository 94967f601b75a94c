/** Something in a text that suggests an injection. */
export interface Signal {
  readonly name: string;
  /** How strong the signal is: 0 means nothing, 1 means certainty. */
  readonly weight: number;
}

/** Finds the signals of a text. */
export type SignalFinder = (text: string) => readonly Signal[];

/** Returns how likely the signals indicate an injection, from 0 to 1, as if each were wrong independently of the others. */
export const toScore = (signals: readonly Signal[]): number =>
  1 - signals.reduce((rest, { weight }) => rest * (1 - weight), 1);

/** Returns each signal once. */
export const distinct = (signals: readonly Signal[]): readonly Signal[] => [
  ...new Map(signals.map((signal) => [signal.name, signal])).values(),
];
