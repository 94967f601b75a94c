/** Thrown if the subject of a test violates its contract. The message lists every error. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly errors: readonly string[];

  constructor(subject: string, reasons: readonly string[]) {
    super(`${subject} violates its contract:\n${reasons.map((error) => `  - ${error}`).join('\n')}`);
    this.errors = reasons;
  }

  /** @deprecated Use `errors`. */
  get faults(): readonly string[] {
    return this.errors;
  }
}

/** Throws a `ContractError` if there is an error. */
export const refuseErrors = (subject: string, reasons: readonly string[]): void => {
  if (reasons.length > 0) throw new ContractError(subject, reasons);
};
