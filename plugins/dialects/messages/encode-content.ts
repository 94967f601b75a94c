import type { MediaPart, Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../../../schema/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import { encodeCache } from '../wire/cache-hint.ts';
import { defined } from '../wire/defined.ts';
import { dropped, type Lost } from '../wire/lost.ts';
import { present } from '../wire/present.ts';
import { toInput } from '../wire/to-input.ts';

/** What has been lost so far, and the scope of the values that this target made. */
export interface EncodeContext {
  readonly lost: Lost;
  readonly scope: string;
}

const encodeSource = ({ media, source }: MediaPart): JsonObject => {
  if (source.kind === 'url') return { type: 'url', url: source.url };
  if (source.kind === 'file') return { type: 'file', file_id: source.id };
  if (media === 'document' && source.mimeType.startsWith('text/')) {
    const data = Buffer.from(source.data, 'base64').toString('utf8');
    return { type: 'text', media_type: 'text/plain', data };
  }
  return { type: 'base64', media_type: source.mimeType, data: source.data };
};

const encodeMedia = (part: MediaPart, path: string, lost: Lost): JsonObject | undefined => {
  const { media, source, name, detail, cache } = part;
  if (media === 'audio' || media === 'video') return dropped(`${path}.media`, lost);
  if (detail !== undefined) lost.push(`${path}.detail`);
  if (name !== undefined && media === 'image') lost.push(`${path}.name`);
  if (source.kind === 'base64' && source.mimeType.startsWith('text/') && source.mimeType !== 'text/plain')
    lost.push(`${path}.mimeType`);
  return defined({
    type: media,
    source: encodeSource(part),
    title: media === 'document' ? name : undefined,
    cache_control: encodeCache(cache),
  });
};

/** A provider accepts only reasoning that it signed itself. */
const encodeReasoning = (
  { text, bound }: ReasoningPart,
  path: string,
  { lost, scope }: EncodeContext,
): JsonObject | undefined => {
  if (bound === undefined || bound.scope !== scope) return dropped(`${path}.reasoning`, lost);
  return bound.kind === 'encrypted' && text === ''
    ? { type: 'redacted_thinking', data: bound.value }
    : { type: 'thinking', thinking: text, signature: bound.value };
};

const encodeCall = ({ id, name, arguments: text, cache }: ToolCallPart, path: string, lost: Lost): JsonObject => {
  const input = toInput(text);
  if (JSON.stringify(input) !== text) lost.push(`${path}.arguments`);
  return defined({ type: 'tool_use', id, name, input, cache_control: encodeCache(cache) });
};

const encodeResult = (
  { id, parts, failed, cache }: ToolResultPart,
  path: string,
  context: EncodeContext,
): JsonObject => {
  const content = present(parts.map((part, index) => encodePart(part, `${path}.parts[${index}]`, context)));
  return defined({
    type: 'tool_result',
    tool_use_id: id,
    content: content.length > 0 ? content : undefined,
    is_error: failed,
    cache_control: encodeCache(cache),
  });
};

const isForeign = (dialect: string, value: Json): boolean => dialect !== 'messages' || !isJsonObject(value);

/** One block; undefined if the format has none for the part. The API rejects empty texts. */
export const encodePart = (part: Part, path: string, context: EncodeContext): JsonObject | undefined => {
  const { lost } = context;
  switch (part.kind) {
    case 'text':
      if (part.text === '') return dropped(`${path}.text`, lost);
      return defined({ type: 'text', text: part.text, cache_control: encodeCache(part.cache) });
    case 'media':
      return encodeMedia(part, path, lost);
    case 'tool-call':
      return encodeCall(part, path, lost);
    case 'tool-result':
      return encodeResult(part, path, context);
    case 'reasoning':
      return encodeReasoning(part, path, context);
    case 'refusal':
      lost.push(`${path}.refusal`);
      return part.text === '' ? undefined : { type: 'text', text: part.text };
    case 'json':
      lost.push(`${path}.json`);
      return { type: 'text', text: JSON.stringify(part.value) };
    case 'server-tool-call':
    case 'server-tool-result':
    case 'other':
      if (isForeign(part.dialect, part.value) || !isJsonObject(part.value)) return dropped(`${path}.other`, lost);
      return part.value;
  }
};
