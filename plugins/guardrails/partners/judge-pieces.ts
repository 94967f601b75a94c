import { type TextPiece, textPieces } from './text-pieces.ts';

/** Asks about each piece of a text at the same time, and gives what was found in any; nothing is asked of a blank text. */
export const judgePieces = async <Found>(
  text: string,
  most: number,
  ask: (piece: TextPiece) => Promise<readonly Found[]>,
): Promise<readonly Found[]> => {
  if (text.trim() === '') return [];
  return (await Promise.all(textPieces(text, most).map(ask))).flat();
};
