import { editBetween } from '../parse/edit-between.ts';
import type { Piece } from './editor-document.ts';

/** A piece of a text, and its replacement. */
export interface TextChange {
  readonly piece: Piece;
  readonly text: string;
}

/** Returns the smallest change that turns one text into another. */
export const textChange = (before: string, after: string): TextChange => {
  const { from, before: end, after: newEnd } = editBetween(before, after);
  return { piece: { offset: from, length: end - from }, text: after.slice(from, newEnd) };
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
