/** The explanation of a diagnostic, beyond its message. Configs are lists of lines, because some are not valid JSON. */
export interface CodeExample {
  /** Why it is reported, in one or two sentences. */
  readonly cause: string;
  readonly remedy: string;
  /** A config for which it is reported, in a file or, for some, in a request. */
  readonly wrong: readonly string[];
  /** A similar config for which it is not reported. */
  readonly right: readonly string[];
}
