/** What a thrown thing says: the message of an `Error`, or anything else as a text. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
