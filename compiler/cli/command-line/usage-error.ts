/** The command cannot be run as given. Has the fact in one sentence, and what to do in another. Exit code 2. */
export class UsageError extends Error {
  readonly hint: string;

  constructor(fact: string, hint: string) {
    super(fact);
    this.name = 'UsageError';
    this.hint = hint;
  }
}
