import type { MediaPart, OtherPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { objectOf, objectsOf, textOf } from '../../../../schema/json/loose.ts';
import { defined } from '../../wire/json/defined.ts';
import { formatOfName, mimeTypeOf } from './media-formats.ts';

type Kind = MediaPart['media'];

/** The kinds of media that a content block may be. */
export const mediaKinds: readonly Kind[] = ['image', 'document', 'video', 'audio'];

const toBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

const decodeSource = (kind: Kind, source: JsonObject, format: string): MediaPart['source'] | undefined => {
  const bytes = textOf(source.bytes);
  if (bytes !== undefined) return { kind: 'base64', mimeType: mimeTypeOf(kind, format), data: bytes };
  const text =
    textOf(source.text) ??
    textOf(
      objectsOf(source.content)
        .map((each) => textOf(each.text) ?? '')
        .join('\n'),
    );
  if (kind === 'document' && (source.text !== undefined || source.content !== undefined))
    return { kind: 'base64', mimeType: mimeTypeOf(kind, format), data: toBase64(text ?? '') };
  const location = objectOf(source.s3Location);
  const uri = textOf(location?.uri);
  // Of a place in S3 only an address can be expressed, which has the format as its ending.
  if (uri === undefined || location?.bucketOwner !== undefined || formatOfName(kind, uri) !== format) return undefined;
  return { kind: 'url', url: uri };
};

/** Undefined if the block is not of this kind. One that the conversation cannot express is a part of this dialect only. */
export const decodeMedia = (kind: Kind, block: JsonObject): MediaPart | OtherPart | undefined => {
  const media = objectOf(block[kind]);
  const source = objectOf(media?.source);
  if (media === undefined || source === undefined) return undefined;
  const format = textOf(media.format) ?? (kind === 'document' ? 'txt' : '');
  const decoded = decodeSource(kind, source, format);
  if (decoded === undefined) return { kind: 'other', dialect: 'converse', value: block };
  return defined({ kind: 'media' as const, media: kind, source: decoded, name: textOf(media.name) });
};
