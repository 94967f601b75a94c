import type {
  MediaPart,
  OtherPart,
  Part,
  ReasoningPart,
  ServerToolCallPart,
  ServerToolResultPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import { present } from '../../shared/json/present.ts';
import { encodeCache } from '../../shared/parts/cache-hint.ts';
import { isBlank } from '../../shared/parts/is-blank.ts';
import { extended, ownValue } from '../../shared/parts/own-value.ts';
import { toInput } from '../../shared/request/call-input.ts';
import type { EncodeContext } from '../../shared/request/encode-context.ts';
import { type Lost, recordLoss } from '../../shared/request/lost.ts';
import type { ValidCallIds } from '../../shared/request/valid-call-ids.ts';
import { callBlock } from '../parts/calls.ts';
import { encodeEarlierCitation } from '../parts/citations.ts';
import { encodeSource } from './documents.ts';

/** `citations` is the same for all documents of a request. */
export interface ContentContext extends EncodeContext {
  readonly citations?: JsonObject;
  readonly ids: ValidCallIds;
}

const encodeText = (part: TextPart, path: string, lost: Lost): JsonObject | undefined => {
  const { text, cache, citations = [], logprobs } = part;
  if (logprobs !== undefined) lost.push(`${path}.logprobs`);
  const cited = present(citations.map(encodeEarlierCitation));
  if (isBlank(text)) return recordLoss(`${path}.text`, lost);
  if (cited.length < citations.length) lost.push(`${path}.citations`);
  return defined({
    type: 'text',
    text,
    citations: cited.length > 0 ? cited : undefined,
    cache_control: encodeCache(cache, path, lost),
  });
};

const encodeMedia = (part: MediaPart, path: string, { lost, citations }: ContentContext): JsonObject | undefined => {
  const { media, source, name, detail, cache } = part;
  const wire = encodeSource(part);
  if (wire === undefined) return recordLoss(`${path}.media`, lost);
  if (detail !== undefined) lost.push(`${path}.detail`);
  if (name !== undefined && media === 'image') lost.push(`${path}.name`);
  if (source.kind === 'base64' && source.mimeType.startsWith('text/') && source.mimeType !== 'text/plain')
    lost.push(`${path}.mimeType`);
  const isDocument = media === 'document';
  const block = defined({
    type: media,
    source: wire,
    title: isDocument ? name : undefined,
    citations: isDocument ? citations : undefined,
    cache_control: encodeCache(cache, path, lost),
  });
  return extended(block, part, 'messages');
};

/** Encodes reasoning. A provider accepts only reasoning that it signed itself. */
const encodeReasoning = (
  { text, summary, bound }: ReasoningPart,
  path: string,
  { lost, scope }: EncodeContext,
): JsonObject | undefined => {
  if (bound === undefined || bound.scope !== scope || bound.kind === 'thought')
    return recordLoss(`${path}.reasoning`, lost);
  const isRedacted = bound.kind === 'encrypted';
  if (summary !== undefined || (isRedacted && text !== '')) lost.push(`${path}.summary`);
  return isRedacted
    ? { type: 'redacted_thinking', data: bound.value }
    : { type: 'thinking', thinking: text, signature: bound.value };
};

const encodeCall = (part: ToolCallPart, path: string, { lost, ids }: ContentContext): JsonObject => {
  const input = toInput(part);
  if (part.input !== 'text' && JSON.stringify(input) !== part.arguments) lost.push(`${path}.arguments`);
  const wire = callBlock({ ...part, id: ids.of(part.id) }, input);
  return defined({ ...wire, cache_control: encodeCache(part.cache, path, lost) });
};

/** The API requires a failed result to have content. */
const saysNothing: JsonObject = { type: 'text', text: 'The tool failed.' };

const encodeResult = (part: ToolResultPart, path: string, context: ContentContext): JsonObject => {
  const { id, name, parts, failed, cache } = part;
  if (name !== undefined) context.lost.push(`${path}.name`);
  const content = [...present(parts.map((inner, index) => encodePart(inner, `${path}.parts[${index}]`, context)))];
  if (failed === true && content.length === 0) {
    context.lost.push(`${path}.parts`);
    content.push(saysNothing);
  }
  return defined({
    type: 'tool_result',
    tool_use_id: context.ids.of(id),
    content: content.length > 0 ? content : undefined,
    is_error: failed,
    cache_control: encodeCache(cache, path, context.lost),
  });
};

/** Encodes a part that only one dialect has. Results of another provider's own tool become text. */
const encodeOther = (
  part: OtherPart | ServerToolCallPart | ServerToolResultPart,
  path: string,
  lost: Lost,
): JsonObject | undefined => {
  const own = ownValue(part, 'messages');
  if (own !== undefined) return own;
  lost.push(`${path}.${part.kind}`);
  return part.kind === 'server-tool-result' && !isBlank(part.text) ? { type: 'text', text: part.text } : undefined;
};

/** Encodes one block. Returns undefined if the format cannot express the part. */
export const encodePart = (part: Part, path: string, context: ContentContext): JsonObject | undefined => {
  const { lost } = context;
  switch (part.kind) {
    case 'text':
      return encodeText(part, path, lost);
    case 'media':
      return encodeMedia(part, path, context);
    case 'tool-call':
      return encodeCall(part, path, context);
    case 'tool-result':
      return encodeResult(part, path, context);
    case 'reasoning':
      return encodeReasoning(part, path, context);
    case 'refusal':
      lost.push(`${path}.refusal`);
      return isBlank(part.text) ? undefined : { type: 'text', text: part.text };
    case 'json':
      lost.push(`${path}.json`);
      return { type: 'text', text: JSON.stringify(part.value) };
    case 'server-tool-call':
    case 'server-tool-result':
    case 'other':
      return encodeOther(part, path, lost);
  }
};
