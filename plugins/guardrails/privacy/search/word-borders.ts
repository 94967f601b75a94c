const wordCharacter = /[\p{L}\p{N}_]/u;

/** Whether the character at an offset may be part of a word. False at the end of the text. */
export const isWordAt = (text: string, at: number): boolean => wordCharacter.test(text.charAt(at));

/** Whether a word may continue here, so that what starts here is only part of it. */
export const followsWord = (text: string, at: number): boolean => at > 0 && isWordAt(text, at - 1);
