/** Part of a text, with the offset of its first UTF-16 unit. */
export interface TextPiece {
  readonly from: number;
  readonly text: string;
}

/** How many pieces of full length a text may have. Because pieces end at spaces, there may be twice as many. */
const maxPieces = 16;

/** How far before its maximum end a piece looks for a space. */
const lookBack = 200;

/** Returns where a piece that starts at `from` ends: after a space if there is one nearby, and never inside a surrogate pair. */
const toEnd = (text: string, from: number, max: number): number => {
  const end = from + max;
  if (end >= text.length) return text.length;
  for (let at = end; at > end - Math.min(lookBack, max / 2); at -= 1) if (/\s/.test(text.charAt(at - 1))) return at;
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
};

/** The maximum number of characters that two pieces share. */
const maxShared = 200;

/**
 * Returns where the next piece starts so that it shares this many characters with the previous one: after a space if there is
 * one.
 */
const toNext = (text: string, end: number, shared: number): number => {
  const first = end - shared;
  for (let at = first; at < end; at += 1) if (/\s/.test(text.charAt(at - 1))) return at;
  return /[\uDC00-\uDFFF]/.test(text.charAt(first)) ? first + 1 : first;
};

const divided = (text: string, max: number, shared: number): readonly TextPiece[] => {
  if (text.length > max * maxPieces)
    throw new Error(
      `The text has ${text.length} characters, but at most ${max * maxPieces} are sent to the service. Shorten it, or deny such texts with "failOnError".`,
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
 * Divides a text into pieces of at most `max` UTF-16 units, for a service that does not accept longer ones. An empty text has
 * none. Throws an `Error` if the text is longer than 16 pieces.
 */
export const textPieces: DivideText = (text, max) => divided(text, max, 0);

/**
 * The same, but each piece starts with the end of the previous one, so that no number or phrase is missed because it is split.
 */
export const overlappingPieces: DivideText = (text, max) =>
  divided(text, max, Math.min(maxShared, Math.floor(max / 4)));
