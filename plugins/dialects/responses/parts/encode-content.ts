import { isDeepStrictEqual } from 'node:util';
import type { MediaPart, Part, TextPart, ToolResultPart } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import { present } from '../../shared/json/present.ts';
import { isCloudFileUrl } from '../../shared/parts/cloud-file-url.ts';
import { toDataUrl } from '../../shared/parts/data-url.ts';
import { encodeAudio, plainText } from '../../shared/parts/openai-media.ts';
import { extended, ownValue } from '../../shared/parts/own-value.ts';
import { encodeTokens } from '../../shared/parts/token-logprobs.ts';
import { type Lost, recordLoss } from '../../shared/request/lost.ts';
import { decodeAnnotation, encodeAnnotation } from './citations.ts';
import { isContent } from './item-types.ts';

/** The owner of the content: a result has no audio, and only the model's texts have sources and log probabilities. */
export type ContentOf = 'client' | 'model' | 'result';

const encodeImage = ({ source, detail }: MediaPart): JsonObject => {
  if (source.kind === 'file') return defined({ type: 'input_image', file_id: source.id, detail });
  const url = source.kind === 'url' ? source.url : toDataUrl(source);
  return defined({ type: 'input_image', image_url: url, detail });
};

const encodeFile = ({ source, name }: MediaPart): JsonObject => {
  if (source.kind === 'url') return { type: 'input_file', file_url: source.url };
  if (source.kind === 'file') return { type: 'input_file', file_id: source.id };
  return { type: 'input_file', filename: name ?? 'document.pdf', file_data: toDataUrl(source) };
};

const noteMediaLoss = ({ media, source, name, detail }: MediaPart, path: string, lost: Lost): void => {
  if (detail !== undefined && media !== 'image') lost.push(`${path}.detail`);
  const isNamed = media === 'document' && source.kind === 'base64';
  if (isNamed ? name === undefined : name !== undefined) lost.push(`${path}.name`);
};

const encodeMedia = (part: MediaPart, of: ContentOf, path: string, lost: Lost): JsonObject | undefined => {
  const { media, source } = part;
  const text = media === 'document' ? plainText(source) : undefined;
  if (text !== undefined && of !== 'model') {
    lost.push(`${path}.media`);
    return { type: 'input_text', text };
  }
  const encode = { image: encodeImage, document: encodeFile, audio: encodeAudio, video: undefined }[media];
  const isElsewhere = source.kind === 'url' && isCloudFileUrl(source.url);
  const isPossible = !isElsewhere && (of === 'client' || (of === 'result' && media !== 'audio'));
  const wire = isPossible ? encode?.(part) : undefined;
  if (wire === undefined) return recordLoss(`${path}.media`, lost);
  noteMediaLoss(part, path, lost);
  return extended(wire, part, 'responses');
};

/** Returns the citations that this format can repeat exactly. */
const toAnnotations = ({ text, citations = [] }: TextPart, path: string, lost: Lost): readonly JsonObject[] => {
  const annotations = present(
    citations.map((citation) => {
      const wire = encodeAnnotation(citation, text.length);
      return wire !== undefined && isDeepStrictEqual(decodeAnnotation(wire), citation) ? wire : undefined;
    }),
  );
  if (annotations.length < citations.length) lost.push(`${path}.citations`);
  return annotations;
};

const encodeText = (part: TextPart, of: ContentOf, path: string, lost: Lost): JsonObject | undefined => {
  const { text, citations, logprobs } = part;
  if (text === '') return recordLoss(`${path}.text`, lost);
  if (of !== 'model') {
    if (citations !== undefined || logprobs !== undefined) lost.push(`${path}.citations`);
    return { type: 'input_text', text };
  }
  const annotations = toAnnotations(part, path, lost);
  return defined({
    type: 'output_text',
    text,
    annotations,
    logprobs: logprobs === undefined ? undefined : encodeTokens(logprobs, []),
  });
};

/** Encodes one part of a message's or a result's content. Returns undefined for a part that it cannot contain. */
export const encodePart = (part: Part, of: ContentOf, path: string, lost: Lost): JsonObject | undefined => {
  if ('cache' in part && part.cache !== undefined) lost.push(`${path}.cache`);
  switch (part.kind) {
    case 'text':
      return encodeText(part, of, path, lost);
    case 'media':
      return encodeMedia(part, of, path, lost);
    case 'json':
      lost.push(`${path}.json`);
      return encodeText({ kind: 'text', text: JSON.stringify(part.value) }, of, path, lost);
    case 'refusal':
      if (of === 'model') return { type: 'refusal', refusal: part.text };
      return recordLoss(`${path}.refusal`, lost);
    case 'other': {
      const own = ownValue(part, 'responses');
      return own !== undefined && isContent(own) ? own : recordLoss(`${path}.other`, lost);
    }
    default:
      return recordLoss(`${path}.${part.kind}`, lost);
  }
};

/** Returns parts as output. A single text becomes a string, which every compatible provider accepts. */
const toOutput = (parts: readonly JsonObject[]): Json => {
  const [first, ...more] = parts;
  if (first === undefined) return '';
  return more.length === 0 && first.type === 'input_text' ? (first.text ?? '') : parts;
};

export const encodeResult = (part: ToolResultPart, path: string, lost: Lost): JsonObject => {
  if (part.failed === true) lost.push(`${path}.failed`);
  if (part.name !== undefined) lost.push(`${path}.name`);
  if (part.cache !== undefined) lost.push(`${path}.cache`);
  const content = part.parts.map((inner, index) => encodePart(inner, 'result', `${path}.parts[${index}]`, lost));
  return {
    type: part.input === 'text' ? 'custom_tool_call_output' : 'function_call_output',
    call_id: part.id,
    output: toOutput(present(content)),
  };
};
