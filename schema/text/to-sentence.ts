/** Returns a text from outside as a sentence for an error message. */
export const toSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
