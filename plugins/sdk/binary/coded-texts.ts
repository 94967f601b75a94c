/**
 * How texts are distinguished from the numbers of names. A value of `firstName` or more, minus `firstName`, is the index of a
 * name that was written before. The smaller values say what follows.
 */
export const codes = {
  /** The text is null. */
  none: 0,
  /** A text that is not remembered. */
  text: 1,
  /** A name, which is appended to the list. */
  name: 2,
  /** A name, which is the first of a new list. All earlier names are forgotten. */
  onlyName: 3,
} as const;

export const firstName = 4;

/** The maximum number of names that are remembered. */
export const maxNames = 1000;

/** The maximum number of UTF-8 bytes for one UTF-16 unit. */
export const maxBytesOfUnit = 3;

/**
 * The maximum length of a remembered name, in UTF-16 units. A substring of a longer text might keep all of that text in memory.
 */
export const longestName = 128;
