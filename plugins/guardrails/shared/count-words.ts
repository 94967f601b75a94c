const isBlank = /\s/;

const space = 0x20;
const firstControl = 0x09;
const lastControl = 0x0d;
const lastAscii = 0x7f;

/** Whether a UTF-16 code unit is white space, as defined by `\s`. */
const isSpace = (code: number): boolean => {
  if (code > space && code <= lastAscii) return false;
  return code <= space
    ? code === space || (code >= firstControl && code <= lastControl)
    : isBlank.test(String.fromCharCode(code));
};

/** Counts the words, which are separated by white space. Does not allocate memory for ASCII words. */
export const countWords = (text: string): number => {
  let count = 0;
  let isOutside = true;
  for (let at = 0; at < text.length; at += 1) {
    if (isSpace(text.charCodeAt(at))) isOutside = true;
    else if (isOutside) {
      isOutside = false;
      count += 1;
    }
  }
  return count;
};
