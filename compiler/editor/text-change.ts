import type { Piece } from './editor-document.ts';

/** A piece of a text, and its replacement. */
export interface TextChange {
  readonly piece: Piece;
  readonly text: string;
}

/** Returns the smallest change that turns one text into another. */
export const textChange = (before: string, after: string): TextChange => {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same += 1;
  let tail = 0;
  while (tail < shorter - same && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return {
    piece: { offset: same, length: before.length - tail - same },
    text: after.slice(same, after.length - tail),
  };
};

/** Applies changes, which must not overlap, to a text. */
export const applyChanges = (text: string, changes: readonly TextChange[]): string =>
  changes
    .toSorted((a, b) => b.piece.offset - a.piece.offset)
    .reduce(
      (changed, { piece: { offset, length }, text: written }) =>
        changed.slice(0, offset) + written + changed.slice(offset + length),
      text,
    );
