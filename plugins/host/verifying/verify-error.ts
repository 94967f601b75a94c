/** There is nothing that could be verified: the fact, and what to do. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError';
  readonly hint: string;

  constructor(fact: string, hint: string) {
    super(fact);
    this.hint = hint;
  }
}
