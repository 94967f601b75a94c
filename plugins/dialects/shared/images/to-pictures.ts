import type { Usage } from '../../../../schema/conversation/conversation.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { findItems } from '../../../../schema/json/loose.ts';
import type { Picture } from '../../../../schema/operations/image.ts';

/** Returns the data of a `data:` URL, which some services write for images. */
const withoutScheme = (text: string): string => text.replace(/^data:[^,]{0,255},/, '');

/** Returns an image in base64, or undefined for anything else. */
export const toPicture = (data: Json | undefined): Picture | undefined =>
  typeof data === 'string' && data !== '' ? { source: { kind: 'base64', data: withoutScheme(data) } } : undefined;

/** Returns the items of a list that are images in base64. */
export const toPictures = (list: Json | undefined): readonly Picture[] =>
  (findItems(list) ?? []).flatMap((data) => toPicture(data) ?? []);

/** Returns the usage of a service that charges by image, or undefined for no images. */
export const pictureUsage = (count: number): Usage | undefined =>
  count === 0 ? undefined : { input: 0, output: 0, calls: { image: count } };
