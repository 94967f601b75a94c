/** Thrown if there is nothing to verify. Contains the fact, and how to fix it. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError';
  readonly hint: string;

  constructor(fact: string, hint: string) {
    super(fact);
    this.hint = hint;
  }
}
