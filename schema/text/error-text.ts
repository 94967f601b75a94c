/** Returns any thrown value as an `Error`. Even converting a thrown value to a string may fail. */
export const toError = (thrown: unknown): Error => {
  try {
    // Read once here, because even reading it may throw.
    return thrown instanceof Error && typeof thrown.message === 'string' ? thrown : new Error(String(thrown));
  } catch {
    return new Error('Something was thrown that says nothing of itself.');
  }
};

/** Returns the message of a thrown `Error`, or any other thrown value as a string. */
export const errorText = (thrown: unknown): string => toError(thrown).message;
