import { askAboutAll } from './ask-about-all.ts';
import { overlappingPieces, type TextPiece } from './text-pieces.ts';

/** Sends each piece of a text and returns everything that was found. Nothing is sent for a blank text. */
export const judgePieces = async <Found>(
  text: string,
  max: number,
  ask: (piece: TextPiece) => Promise<readonly Found[]>,
): Promise<readonly Found[]> => {
  if (text.trim() === '') return [];
  return (await askAboutAll(overlappingPieces(text, max), ask)).flat();
};
