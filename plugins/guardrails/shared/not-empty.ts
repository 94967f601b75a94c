/** Throws for an empty text, which a check cannot judge. */
export const notEmpty = (text: string): string => {
  if (text === '') throw new Error('The text is empty, so there is nothing to judge.');
  return text;
};
