/** Whether an answer can have the status. */
export const isPossibleStatus = (status: number): boolean => Number.isInteger(status) && status >= 200 && status <= 599;

/** A list of statuses as plans keep it: each once, in order, those left out that no answer has. */
export const statusCodes = (codes: readonly number[]): readonly number[] =>
  [...new Set(codes)].filter(isPossibleStatus).sort((a, b) => a - b);
