/** Returns the first non-empty text, as the message of an error in a stream. */
export const streamErrorMessage = (texts: readonly (string | undefined)[]): string =>
  texts.find((text) => text !== undefined && text.trim() !== '') ?? 'The stream ended with an error without a message.';
