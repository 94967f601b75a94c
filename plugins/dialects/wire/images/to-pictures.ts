import type { Usage } from '../../../../schema/conversation/conversation.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { findItems } from '../../../../schema/json/loose.ts';
import type { Picture } from '../../../../schema/operations/image.ts';

/** The data of a `data:` URL, as some services write pictures. */
const withoutScheme = (text: string): string => text.replace(/^data:[^,]{0,255},/, '');

/** A picture in base64; undefined for anything else. */
export const toPicture = (data: Json | undefined): Picture | undefined =>
  typeof data === 'string' && data !== '' ? { source: { kind: 'base64', data: withoutScheme(data) } } : undefined;

/** Of a list, those that are pictures in base64. */
export const toPictures = (list: Json | undefined): readonly Picture[] =>
  (findItems(list) ?? []).flatMap((data) => toPicture(data) ?? []);

/** The usage of a service that charges pictures; undefined for none. */
export const pictureUsage = (count: number): Usage | undefined =>
  count === 0 ? undefined : { input: 0, output: 0, calls: { image: count } };
