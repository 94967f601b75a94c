import type { MediaPart } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { extended } from '../../shared/parts/own-value.ts';
import { type Lost, recordLoss } from '../../shared/request/lost.ts';
import type { DocumentNames } from './document-names.ts';
import { findFormat, formatOfName, toMimeType } from './media-formats.ts';

interface WireMedia {
  readonly format: string;
  readonly source: JsonObject;
}

/** Encodes a source. The API accepts bytes, and locations in S3 that end with the format. It does not load other URLs. */
const encodeSource = ({ media, source }: MediaPart): WireMedia | undefined => {
  if (source.kind === 'file') return undefined;
  const isUrl = source.kind === 'url';
  if (isUrl && !source.url.startsWith('s3://')) return undefined;
  const format = isUrl ? formatOfName(media, source.url) : findFormat(media, source.mimeType);
  if (format === undefined) return undefined;
  return { format, source: isUrl ? { s3Location: { uri: source.url } } : { bytes: source.data } };
};

/** Encodes media of a request. */
export const encodeMedia = (
  part: MediaPart,
  path: string,
  { lost, names, citations }: { readonly lost: Lost; readonly names: DocumentNames; readonly citations?: Json },
): JsonObject | undefined => {
  const { media, source, name, detail } = part;
  const wire = encodeSource(part);
  if (wire === undefined) return recordLoss(`${path}.media`, lost);
  if (detail !== undefined) lost.push(`${path}.detail`);
  if (source.kind === 'base64' && toMimeType(media, wire.format) !== source.mimeType) lost.push(`${path}.mimeType`);
  const given = media === 'document' ? names.take(name) : undefined;
  if (given !== name) lost.push(`${path}.name`);
  const cited = media === 'document' && citations !== undefined ? { citations } : {};
  return extended(
    { [media]: { ...wire, ...(given === undefined ? {} : { name: given }), ...cited } },
    part,
    'converse',
  );
};

/** Encodes media that a model made. A stream can contain only images. */
export const encodeGeneratedMedia = (part: MediaPart): WireMedia | undefined =>
  part.media === 'image' && part.source.kind === 'base64' ? encodeSource(part) : undefined;
