import type { TextSpan } from '../../../sdk/dialect/dialect.ts';
import { type DivideText, overlappingPieces, type TextPiece } from './text-pieces.ts';

/** A part of a judged piece, with the index of the piece in `CheckInput.spans`. */
export interface SpanPiece extends TextPiece {
  readonly span: number;
}

/** The most pieces of one judged text, and with them the most requests about it. */
const maxPieces = 64;

export interface SpanDivision {
  /** The most UTF-16 units of a part. */
  readonly max: number;
  /** Into parts that overlap, if absent. */
  readonly divide?: DivideText;
}

/** The parts of all judged pieces, for services that report where they found something. */
export const spanPieces = (
  spans: readonly Pick<TextSpan, 'text'>[],
  { max, divide = overlappingPieces }: SpanDivision,
): readonly SpanPiece[] => {
  const pieces = spans.flatMap(({ text }, span) =>
    text.trim() === '' ? [] : divide(text, max).map((piece) => ({ ...piece, span })),
  );
  if (pieces.length > maxPieces)
    throw new Error(
      `The text has ${pieces.length} parts, and the service is asked about at most ${maxPieces}. Shorten it, or deny such texts with "failOnError".`,
    );
  return pieces;
};
