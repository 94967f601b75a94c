/**
 * How texts are distinguished from numbers of texts: a number of `firstName` or more is that of a name that was written before, and
 * is less by so much in the list of all; the others say what follows.
 */
export const codes = {
  /** No text. */
  none: 0,
  /** A text that is not remembered. */
  text: 1,
  /** A name, which is the next of the list. */
  name: 2,
  /** A name, which is the first of a new list: all others are forgotten. */
  onlyName: 3,
} as const;

export const firstName = 4;

/** The most names that are remembered. */
export const maxNames = 1000;

/** UTF-8 has at most so many bytes for a unit of UTF-16. */
export const maxBytesOfUnit = 3;

/** Longer ones are not remembered, in units of UTF-16: what was cut from a longer text may keep all of it in memory. */
export const longestName = 128;
