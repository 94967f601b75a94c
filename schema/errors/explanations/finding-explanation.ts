/** The explanation of a finding that no check of configs makes, in more detail than its message. */
export interface FindingExplanation {
  readonly severity: 'error' | 'warning';
  /** The fact, in one full sentence; `…` stands for what depends on the case. */
  readonly text: string;
  /** Why it is reported, in full sentences. */
  readonly cause: string;
  /** How to fix it, in full sentences. */
  readonly remedy: string;
  /** A gateway file with only this finding, and a similar one without it, line by line. Absent if a file alone cannot have it. */
  readonly example?: { readonly wrong: readonly string[]; readonly right: readonly string[] };
}
