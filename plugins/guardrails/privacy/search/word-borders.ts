const wordCharacter = /[\p{L}\p{N}_]/u;

/** Whether the character at a place may be part of a word; not at the end of the text. */
export const isWordAt = (text: string, at: number): boolean => wordCharacter.test(text.charAt(at));

/** Whether a word could go on here, so that what begins here is only a part of one. */
export const followsWord = (text: string, at: number): boolean => at > 0 && isWordAt(text, at - 1);
