/** Returns a text percent-decoded once. Undefined if it is not valid percent-encoding. */
export const percentDecoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
