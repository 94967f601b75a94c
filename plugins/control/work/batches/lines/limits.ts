/** The most bytes that a line of an input file may have. */
export const maxLineBytes = 1_048_576;

export const maxLines = 50_000;

/** The most errors that a batch tells of. */
export const maxErrors = 100;

/** Lines, and bytes, that a part of a batch has at most; one line alone may have more bytes. */
export const partLimits = { lines: 20, bytes: 1_048_576 } as const;

/** Jobs that run the parts of one batch beside each other. */
export const maxLanes = 16;
