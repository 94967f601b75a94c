import { askAboutAll } from './ask-about-all.ts';
import { overlappingPieces, type TextPiece } from './text-pieces.ts';

/** Asks about each piece of a text, and gives what was found in any; nothing is asked of a blank text. */
export const judgePieces = async <Found>(
  text: string,
  max: number,
  ask: (piece: TextPiece) => Promise<readonly Found[]>,
): Promise<readonly Found[]> => {
  if (text.trim() === '') return [];
  return (await askAboutAll(overlappingPieces(text, max), ask)).flat();
};
