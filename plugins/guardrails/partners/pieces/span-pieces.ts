import type { TextSpan } from '../../../sdk/dialect/dialect.ts';
import { type TextPiece, textPieces } from './text-pieces.ts';

/** A part of a judged piece, with the index of the piece in `CheckInput.spans`. */
export interface SpanPiece extends TextPiece {
  readonly span: number;
}

/** The most pieces of one judged text, and with them the most requests about it. */
const maxPieces = 64;

/** The parts of all judged pieces, each of at most `most` UTF-16 units, for services that report where they found something. */
export const spanPieces = (spans: readonly Pick<TextSpan, 'text'>[], most: number): readonly SpanPiece[] => {
  const pieces = spans.flatMap(({ text }, span) =>
    text.trim() === '' ? [] : textPieces(text, most).map((piece) => ({ ...piece, span })),
  );
  if (pieces.length > maxPieces)
    throw new Error(
      `The text has ${pieces.length} parts, and the service is asked about at most ${maxPieces}. Shorten it, or deny such texts with "failOnError".`,
    );
  return pieces;
};
