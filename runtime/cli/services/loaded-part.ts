/** Something that is loaded once, at startup. */
export interface LoadedPart {
  /** The subject of a sentence about it: `The plugin "acme"`. */
  readonly what: string;
  readonly files: readonly string[];
  /** Whether it runs in a separate process, so that it can be loaded again. */
  readonly isIsolated?: boolean;
}
