/** A text of somebody else as a sentence of an error message. */
export const toSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
