import type { TextSpan } from '../../../sdk/dialect/dialect.ts';
import { type DivideText, overlappingPieces, type TextPiece } from './text-pieces.ts';

/** Part of a judged piece, with the index of the piece in `CheckInput.spans`. */
export interface SpanPiece extends TextPiece {
  readonly span: number;
}

/** The maximum number of parts of one judged text, and thereby of requests about it. */
const maxPieces = 64;

export interface SpanDivision {
  /** The maximum length of a part in UTF-16 units. */
  readonly max: number;
  /** Divides texts. If absent, the parts overlap. */
  readonly divide?: DivideText;
}

/** Returns the parts of all judged pieces, for services that report where they found something. */
export const spanPieces = (
  spans: readonly Pick<TextSpan, 'text'>[],
  { max, divide = overlappingPieces }: SpanDivision,
): readonly SpanPiece[] => {
  const pieces = spans.flatMap(({ text }, span) =>
    text.trim() === '' ? [] : divide(text, max).map((piece) => ({ ...piece, span })),
  );
  if (pieces.length > maxPieces)
    throw new Error(
      `The text has ${pieces.length} parts, but at most ${maxPieces} are sent to the service. Shorten it, or deny such texts with "failOnError".`,
    );
  return pieces;
};
