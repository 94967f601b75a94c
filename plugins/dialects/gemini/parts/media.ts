import type { MediaPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import { extended } from '../../shared/parts/own-value.ts';
import { type Lost, recordLoss } from '../../shared/request/lost.ts';

const mimeTypes: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['html', 'text/html'],
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['ogg', 'audio/ogg'],
  ['m4a', 'audio/mp4'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['webm', 'video/webm'],
]);

const defaultTypes: Readonly<Record<MediaPart['media'], string>> = {
  image: 'image/jpeg',
  document: 'application/pdf',
  audio: 'audio/mpeg',
  video: 'video/mp4',
};

const toKind = (mimeType: string): MediaPart['media'] => {
  const [type] = mimeType.split('/', 1);
  return type === 'image' || type === 'audio' || type === 'video' ? type : 'document';
};

const byExtension = (url: string): string | undefined =>
  mimeTypes.get(/\.(\w{1,5})(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? '');

/** Returns the type of a URL's file. Vertex AI requires a type for every file. */
const typeOfUrl = (url: string, media: MediaPart['media']): string => {
  const type = byExtension(url);
  return type !== undefined && toKind(type) === media ? type : defaultTypes[media];
};

/** Decodes `inlineData`. */
export const inlineMedia = (mimeType: string, data: string, name: string | undefined): MediaPart =>
  defined({
    kind: 'media' as const,
    media: toKind(mimeType),
    source: { kind: 'base64' as const, mimeType, data },
    name,
  });

/**
 * Decodes `fileData`, whose type may be absent. It is then derived from the URL, and YouTube URLs are videos. A type that the URL
 * does not imply is kept, because files of the vendor's own API have no extensions.
 */
export const fileMedia = (url: string, mimeType: string | undefined, name: string | undefined): MediaPart => {
  const video = /^https:\/\/(?:www\.)?(?:youtube\.com|youtu\.be)\//.test(url) ? defaultTypes.video : undefined;
  const media = toKind(mimeType ?? byExtension(url) ?? video ?? defaultTypes.document);
  const source = defined({
    kind: 'url' as const,
    url,
    mimeType: mimeType === typeOfUrl(url, media) ? undefined : mimeType,
  });
  return defined({ kind: 'media' as const, media, source, name });
};

/** Whether a URL is in Amazon's storage, where Google cannot read files. */
const isS3Url = (url: string): boolean => /^s3:/i.test(url);

/** Returns undefined for a file of another provider. */
export const mediaData = ({ media, source }: MediaPart): JsonObject | undefined => {
  if (source.kind === 'file' || (source.kind === 'url' && isS3Url(source.url))) return undefined;
  return source.kind === 'url'
    ? { fileData: { mimeType: source.mimeType ?? typeOfUrl(source.url, media), fileUri: source.url } }
    : { inlineData: { mimeType: source.mimeType, data: source.data } };
};

export const encodeMedia = (part: MediaPart, path: string, lost: Lost): JsonObject | undefined => {
  const data = mediaData(part);
  if (data === undefined) return recordLoss(`${path}.media`, lost);
  const { media, source, detail, name, cache } = part;
  if (source.kind === 'base64' && toKind(source.mimeType) !== media) lost.push(`${path}.media`);
  if (detail !== undefined) lost.push(`${path}.detail`);
  if (name !== undefined) lost.push(`${path}.name`);
  if (cache !== undefined) lost.push(`${path}.cache`);
  return extended(data, part, 'gemini');
};
