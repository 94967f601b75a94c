/** What somebody threw as an `Error`, whatever it is: a thrown thing may even fail when it is made a text. */
export const toError = (thrown: unknown): Error => {
  try {
    // Read once here, since even that may throw.
    return thrown instanceof Error && typeof thrown.message === 'string' ? thrown : new Error(String(thrown));
  } catch {
    return new Error('Something was thrown that says nothing of itself.');
  }
};

/** What a thrown thing says: the message of an `Error`, or anything else as a text. */
export const errorText = (thrown: unknown): string => toError(thrown).message;
