import { createScanner } from 'jsonc-parser';

/** A token or a comment of a JSON text. */
export interface JsonPiece {
  readonly kind: 'comment' | 'token';
  readonly text: string;
  /** The number of line breaks between it and the previous piece. */
  readonly breaks: number;
}

const countBreaks = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;

/** Splits a JSON text without errors into its tokens and comments, without the white space between them. */
export const toJsonPieces = (text: string): readonly JsonPiece[] => {
  const scanner = createScanner(text, false);
  const pieces: JsonPiece[] = [];
  let breaks = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const piece = text.slice(scanner.getTokenOffset(), scanner.getPosition());
    if (piece.trim() === '') {
      breaks += countBreaks(piece);
      continue;
    }
    const isComment = piece.startsWith('/');
    pieces.push({ kind: isComment ? 'comment' : 'token', text: isComment ? piece.trimEnd() : piece, breaks });
    breaks = 0;
  }
  return pieces;
};
