import { toInteger } from '../../components/formats.ts';
import { texts } from '../../texts/playground.ts';
import { unitTexts } from '../../texts/units.ts';
import { maxImageBytes, type PromptImage } from './prompt.ts';

const kinds = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Reads a file as an image of a turn. Rejects with an `Error` whose message is a sentence that says what to do. */
export const readImage = async (file: File): Promise<PromptImage> => {
  if (!kinds.includes(file.type)) throw new Error(texts.imageUnreadable(file.name));
  if (file.size > maxImageBytes)
    throw new Error(texts.imageTooLarge(file.name, unitTexts.megabytes(toInteger(maxImageBytes / 1024 / 1024))));
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(texts.imageUnreadable(file.name)));
    reader.readAsDataURL(file);
  });
  return { name: file.name, mediaType: file.type, data: url.slice(url.indexOf(',') + 1) };
};
