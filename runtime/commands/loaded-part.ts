/** Something that is loaded once, at the start. */
export interface LoadedPart {
  /** How a sentence about it begins: `The plugin "acme"`. */
  readonly what: string;
  readonly files: readonly string[];
}
