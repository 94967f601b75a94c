/** A finding that no check of configs makes, explained: more than its message says. */
export interface FindingExplanation {
  readonly severity: 'error' | 'warning';
  /** The fact, in one whole sentence; `…` stands for what each case fills in. */
  readonly text: string;
  /** Why it is reported, in whole sentences. */
  readonly cause: string;
  /** The way to mend it, in whole sentences. */
  readonly remedy: string;
  /** A gateway file that has it alone, and one close to it that does not: where a file alone can have it. Line by line. */
  readonly example?: { readonly wrong: readonly string[]; readonly right: readonly string[] };
}
