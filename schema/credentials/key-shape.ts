/** How the keys of a vendor look. */
export interface KeyShape {
  readonly vendor: string;
  /** The texts with which such keys begin: a search for them is quick. */
  readonly begins: readonly string[];
  /** All of the key, from its beginning. Its repetitions are bounded. */
  readonly shape: RegExp;
}
