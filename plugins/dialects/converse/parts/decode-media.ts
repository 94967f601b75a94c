import type { MediaPart, OtherPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import { formatOfName, toMimeType } from './media-formats.ts';

type Kind = MediaPart['media'];

/** The kinds of media that a content block can contain. */
export const mediaKinds: readonly Kind[] = ['image', 'document', 'video', 'audio'];

const toBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

const decodeSource = (kind: Kind, source: JsonObject, format: string): MediaPart['source'] | undefined => {
  const bytes = findText(source.bytes);
  if (bytes !== undefined) return { kind: 'base64', mimeType: toMimeType(kind, format), data: bytes };
  const text =
    findText(source.text) ??
    findText(
      toObjects(source.content)
        .map((each) => findText(each.text) ?? '')
        .join('\n'),
    );
  if (kind === 'document' && (source.text !== undefined || source.content !== undefined))
    return { kind: 'base64', mimeType: toMimeType(kind, format), data: toBase64(text ?? '') };
  const location = findObject(source.s3Location);
  const uri = findText(location?.uri);
  // Of a location in S3, only a URI that ends with the format can be expressed.
  if (uri === undefined || location?.bucketOwner !== undefined || formatOfName(kind, uri) !== format) return undefined;
  return { kind: 'url', url: uri };
};

/**
 * Returns undefined if the block is not of this kind. A block that the conversation cannot express becomes a part of this dialect
 * only.
 */
export const decodeMedia = (kind: Kind, block: JsonObject): MediaPart | OtherPart | undefined => {
  const media = findObject(block[kind]);
  const source = findObject(media?.source);
  if (media === undefined || source === undefined) return undefined;
  const format = findText(media.format) ?? (kind === 'document' ? 'txt' : '');
  const decoded = decodeSource(kind, source, format);
  if (decoded === undefined) return { kind: 'other', dialect: 'converse', value: block };
  return defined({ kind: 'media' as const, media: kind, source: decoded, name: findText(media.name) });
};
