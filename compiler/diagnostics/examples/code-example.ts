/** A diagnostic, explained: more than its one sentence says. Configs are texts, line by line, since some are no JSON. */
export interface CodeExample {
  /** Why it is reported, in one sentence. */
  readonly cause: string;
  readonly remedy: string;
  /** A config of which it is reported, where it is a file's or, for some, a request's. */
  readonly wrong: readonly string[];
  /** A config close to it of which it is not. */
  readonly right: readonly string[];
}
