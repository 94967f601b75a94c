import type { MediaPart, Part, TextPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import { isCloudFileUrl } from '../../shared/parts/cloud-file-url.ts';
import { toDataUrl } from '../../shared/parts/data-url.ts';
import { encodeAudio, plainText } from '../../shared/parts/openai-media.ts';
import { extended, ownValue } from '../../shared/parts/own-value.ts';
import type { Placed } from '../../shared/parts/placed.ts';
import type { EncodeContext } from '../../shared/request/encode-context.ts';
import { type Lost, recordLoss } from '../../shared/request/lost.ts';

const encodeImage = ({ source, detail }: MediaPart): JsonObject | undefined => {
  if (source.kind === 'file' || (source.kind === 'url' && isCloudFileUrl(source.url))) return undefined;
  const url = source.kind === 'url' ? source.url : toDataUrl(source);
  return { type: 'image_url', image_url: defined({ url, detail }) };
};

/** A file's id means something only to the service that stores the file. Ids from OpenAI and Azure begin like this. */
const ownFile = /^(?:file|assistant)-/;

const encodeDocument = (
  { source, name }: MediaPart,
  { loadsFiles }: Pick<EncodeContext, 'loadsFiles'>,
): JsonObject | undefined => {
  if (source.kind === 'url' && (loadsFiles !== true || isCloudFileUrl(source.url))) return undefined;
  if (source.kind === 'file')
    return ownFile.test(source.id)
      ? { type: 'file', file: defined({ file_id: source.id, filename: name }) }
      : undefined;
  const data = source.kind === 'url' ? source.url : toDataUrl(source);
  return { type: 'file', file: { filename: name ?? 'document.pdf', file_data: data } };
};

const noteMediaLoss = (part: MediaPart, path: string, lost: Lost): void => {
  if (part.detail !== undefined && part.media !== 'image') lost.push(`${path}.detail`);
  if (part.name !== undefined ? part.media !== 'document' : part.media === 'document' && part.source.kind !== 'file')
    lost.push(`${path}.name`);
};

const encoders = { image: encodeImage, document: encodeDocument, audio: encodeAudio, video: undefined };

/** Whether the target accepts media of this kind and from this kind of source. */
export const accepts = ({ lacks }: EncodeContext, { media, source }: MediaPart): boolean =>
  lacks === undefined || !(lacks.has(media) || (source.kind === 'file' && lacks.has('stored-file')));

const encodeMedia = (part: MediaPart, path: string, context: EncodeContext): JsonObject | undefined => {
  const { lost } = context;
  const text = part.media === 'document' ? plainText(part.source) : undefined;
  const encode = accepts(context, part) ? encoders[part.media] : undefined;
  const wire = text === undefined ? encode?.(part, context) : { type: 'text', text };
  if (wire === undefined || text !== undefined) {
    lost.push(`${path}.media`);
    return wire;
  }
  noteMediaLoss(part, path, lost);
  return extended(wire, part, 'chat');
};

const noteTextLoss = ({ citations, logprobs }: TextPart, path: string, lost: Lost): void => {
  if (citations !== undefined) lost.push(`${path}.citations`);
  if (logprobs !== undefined) lost.push(`${path}.logprobs`);
};

/** Encodes one part of a user's or the model's content. Returns undefined for a part that content cannot contain. */
export const encodePart = (part: Part, path: string, context: EncodeContext): JsonObject | undefined => {
  const { lost } = context;
  if ('cache' in part && part.cache !== undefined) lost.push(`${path}.cache`);
  switch (part.kind) {
    case 'text':
      noteTextLoss(part, path, lost);
      return part.text === '' ? recordLoss(`${path}.text`, lost) : { type: 'text', text: part.text };
    case 'media':
      return encodeMedia(part, path, context);
    case 'refusal':
      return { type: 'refusal', refusal: part.text };
    case 'json':
      lost.push(`${path}.json`);
      return { type: 'text', text: JSON.stringify(part.value) };
    case 'server-tool-result':
      lost.push(`${path}.${part.kind}`);
      return part.text === '' ? undefined : { type: 'text', text: part.text };
    default:
      return recordLoss(`${path}.${part.kind}`, lost);
  }
};

/** Encodes a part of content that may also contain parts of this dialect only. */
export const encodeOther = ({ part, path }: Placed, context: EncodeContext): JsonObject | undefined =>
  (part.kind === 'other' ? ownValue(part, 'chat') : undefined) ?? encodePart(part, path, context);
