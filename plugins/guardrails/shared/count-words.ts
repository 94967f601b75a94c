const isBlank = /\s/;

const asciiCount = 128;

/** 1 for a UTF-16 code unit that is part of a word, and 0 for white space, as defined by `\s`. */
const inWord = (code: number): number => (isBlank.test(String.fromCharCode(code)) ? 0 : 1);

const asciiInWord = Uint8Array.from({ length: asciiCount }, (_, code) => inWord(code));

/**
 * Counts the words, which are separated by white space. Does not allocate memory for ASCII words, and has no branches for where
 * they begin and end, which processors could not predict.
 */
export const countWords = (text: string): number => {
  let count = 0;
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const now = asciiInWord[text.charCodeAt(at)] ?? inWord(text.charCodeAt(at));
    count += now & ~before;
    before = now;
  }
  return count;
};
