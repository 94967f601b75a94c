/** A part of a text: its first UTF-16 unit, and what it says. */
export interface TextPiece {
  readonly from: number;
  readonly text: string;
}

/** How many pieces of full length a text may have. As pieces end at spaces, there may be twice as many. */
const maxPieces = 16;

/** How far from its end a piece looks for a space to end at. */
const lookBack = 200;

/** Where a piece that begins at `from` ends: after a space if there is one near, and never inside a surrogate pair. */
const toEnd = (text: string, from: number, max: number): number => {
  const end = from + max;
  if (end >= text.length) return text.length;
  for (let at = end; at > end - Math.min(lookBack, max / 2); at -= 1) if (/\s/.test(text.charAt(at - 1))) return at;
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
};

/** The most characters that two pieces have in common. */
const maxShared = 200;

/** Where the piece after one that ends at `end` begins, to have so many characters of that: after a space if there is one. */
const toNext = (text: string, end: number, shared: number): number => {
  const first = end - shared;
  for (let at = first; at < end; at += 1) if (/\s/.test(text.charAt(at - 1))) return at;
  return /[\uDC00-\uDFFF]/.test(text.charAt(first)) ? first + 1 : first;
};

const divided = (text: string, max: number, shared: number): readonly TextPiece[] => {
  if (text.length > max * maxPieces)
    throw new Error(
      `The text has ${text.length} characters, and the service is asked about at most ${max * maxPieces}. Shorten it, or deny such texts with "failOnError".`,
    );
  const pieces: TextPiece[] = [];
  for (let from = 0; from < text.length; ) {
    const end = toEnd(text, from, max);
    pieces.push({ from, text: text.slice(from, end) });
    from = end === text.length ? end : toNext(text, end, shared);
  }
  return pieces;
};

/** Divides a text into pieces of at most `max` UTF-16 units, or throws an `Error`. */
export type DivideText = (text: string, max: number) => readonly TextPiece[];

/**
 * A text in pieces of at most `max` UTF-16 units, for a service that judges no longer ones; none of an empty text. Throws
 * an `Error` for a text of more than 16 times that length.
 */
export const textPieces: DivideText = (text, max) => divided(text, max, 0);

/** The same, each with the end of the one before, so that no number and no phrase is hidden by standing in two of them. */
export const overlappingPieces: DivideText = (text, max) =>
  divided(text, max, Math.min(maxShared, Math.floor(max / 4)));
