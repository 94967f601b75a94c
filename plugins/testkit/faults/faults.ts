/** The subject of a test violates its contract; the message lists every fault. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly faults: readonly string[];

  constructor(subject: string, faults: readonly string[]) {
    super(`${subject} violates its contract:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** Throws a `ContractError` if there is a fault. */
export const refuseFaults = (subject: string, faults: readonly string[]): void => {
  if (faults.length > 0) throw new ContractError(subject, faults);
};
