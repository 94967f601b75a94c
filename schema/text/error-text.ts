/** Anything thrown, as an `Error`. A thrown value may even fail when it is converted to a string. */
export const toError = (thrown: unknown): Error => {
  try {
    // Read once here, since even reading it may throw.
    return thrown instanceof Error && typeof thrown.message === 'string' ? thrown : new Error(String(thrown));
  } catch {
    return new Error('Something was thrown that says nothing of itself.');
  }
};

/** The message of a thrown `Error`, or another thrown value as a string. */
export const errorText = (thrown: unknown): string => toError(thrown).message;
