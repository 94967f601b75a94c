import type {
  CacheHint,
  Conversation,
  OtherPart,
  Part,
  ReasoningPart,
  ResultContent,
  ServerToolCallPart,
  ServerToolResultPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from '../../../../schema/conversation/conversation.ts';
import { isExactObject } from '../../../../schema/json/exact-numbers.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import { present } from '../../shared/json/present.ts';
import { isBlank } from '../../shared/parts/is-blank.ts';
import { ownValue } from '../../shared/parts/own-value.ts';
import { toInput } from '../../shared/request/call-input.ts';
import type { EncodeContext } from '../../shared/request/encode-context.ts';
import { placedPrompt } from '../../shared/request/leading-instructions.ts';
import { type Lost, recordLoss } from '../../shared/request/lost.ts';
import type { ValidCallIds } from '../../shared/request/valid-call-ids.ts';
import { callBlock } from '../parts/calls.ts';
import type { DocumentNames } from '../parts/document-names.ts';
import { encodeMedia } from '../parts/encode-media.ts';
import { encodeCachePoint } from './cache-points.ts';
import type { ModelFamily } from './model-family.ts';

/** The content that the model accepts, and the names of documents used so far. */
export interface ContentContext extends EncodeContext {
  readonly family: ModelFamily;
  readonly names: DocumentNames;
  readonly ids: ValidCallIds;
  /** The client's setting for whether documents are to be cited. */
  readonly citations?: Json;
}

/** Adds a cache point after a block, if the model accepts one. */
const withCachePoint = (
  block: JsonObject | undefined,
  cache: CacheHint | undefined,
  { path, context }: { readonly path: string; readonly context: ContentContext },
): readonly JsonObject[] => {
  if (block === undefined) return [];
  if (cache === undefined) return [block];
  if (context.family.caches !== undefined) return [block, encodeCachePoint(cache, path, context.lost)];
  context.lost.push(`${path}.cache`);
  return [block];
};

const encodeText = (part: TextPart, path: string, lost: Lost): JsonObject | undefined => {
  if (isBlank(part.text)) return recordLoss(`${path}.text`, lost);
  if (part.citations !== undefined) lost.push(`${path}.citations`);
  if (part.logprobs !== undefined) lost.push(`${path}.logprobs`);
  return { text: part.text };
};

/** Encodes reasoning. A model accepts only reasoning that it signed or encrypted itself. */
const encodeReasoning = (part: ReasoningPart, path: string, { lost, scope }: EncodeContext): JsonObject | undefined => {
  const { text, summary, bound } = part;
  if (bound === undefined || bound.scope !== scope || bound.kind === 'thought')
    return recordLoss(`${path}.reasoning`, lost);
  if (summary !== undefined) lost.push(`${path}.summary`);
  return bound.kind === 'encrypted' && text === ''
    ? { reasoningContent: { redactedContent: bound.value } }
    : { reasoningContent: { reasoningText: { text, signature: bound.value } } };
};

const encodeCall = (part: ToolCallPart, path: string, { lost, ids }: ContentContext): JsonObject => {
  const input = toInput(part);
  if (part.input === undefined && JSON.stringify(input) !== part.arguments) lost.push(`${path}.arguments`);
  return callBlock({ ...part, id: ids.of(part.id) }, input);
};

const encodeResultContent = (part: ResultContent, path: string, context: ContentContext): JsonObject | undefined => {
  const { lost } = context;
  if ('cache' in part && part.cache !== undefined) lost.push(`${path}.cache`);
  switch (part.kind) {
    case 'text':
      return encodeText(part, path, lost);
    case 'media':
      return part.media === 'audio' ? recordLoss(`${path}.media`, lost) : encodeMedia(part, path, context);
    case 'json':
      if (isExactObject(part.value)) return { json: part.value };
      lost.push(`${path}.json`);
      return { text: JSON.stringify(part.value) };
    case 'other':
      return ownValue(part, 'converse') ?? recordLoss(`${path}.other`, lost);
  }
};

/** The API requires a failed result to have content. */
const saysNothing: JsonObject = { text: 'The tool failed.' };

const encodeResult = (part: ToolResultPart, path: string, context: ContentContext): JsonObject => {
  const { lost, family, ids } = context;
  const { id, name, parts, failed } = part;
  const content = present(parts.map((each, index) => encodeResultContent(each, `${path}.parts[${index}]`, context)));
  if (name !== undefined) lost.push(`${path}.name`);
  const isFailed = failed === true && family.statuses === true;
  if (failed === true && !isFailed) lost.push(`${path}.failed`);
  const isSilent = isFailed && content.length === 0;
  if (isSilent) lost.push(`${path}.parts`);
  return {
    toolResult: defined({
      toolUseId: ids.of(id),
      content: isSilent ? [saysNothing] : content,
      status: isFailed ? 'error' : undefined,
    }),
  };
};

/** Encodes a part that only one dialect has. Results of another provider's own tool become text. */
const encodeOther = (
  part: OtherPart | ServerToolCallPart | ServerToolResultPart,
  path: string,
  lost: Lost,
): JsonObject | undefined => {
  const own = ownValue(part, 'converse');
  if (own !== undefined) return own;
  lost.push(`${path}.${part.kind}`);
  return part.kind === 'server-tool-result' && !isBlank(part.text) ? { text: part.text } : undefined;
};

/** Whether a part cannot be in a turn. Only the model calls tools, and its own media are not sent back to it. */
const isMisplaced = ({ kind }: Part, { role }: Turn): boolean =>
  role === 'assistant' ? kind === 'media' : kind === 'tool-call';

const encodeBlock = (part: Part, path: string, context: ContentContext): JsonObject | undefined => {
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
      return isBlank(part.text) ? undefined : { text: part.text };
    case 'json':
      lost.push(`${path}.json`);
      return { text: JSON.stringify(part.value) };
    case 'server-tool-call':
    case 'server-tool-result':
    case 'other':
      return encodeOther(part, path, lost);
  }
};

/** Returns the blocks of a part of a turn, or none if the format cannot express it. */
export const encodePart = (part: Part, path: string, turn: Turn, context: ContentContext): readonly JsonObject[] => {
  if (isMisplaced(part, turn)) {
    context.lost.push(`${path}.${part.kind}`);
    return [];
  }
  const cache = 'cache' in part ? part.cache : undefined;
  return withCachePoint(encodeBlock(part, path, context), cache, { path, context });
};

/** Returns the blocks of the system prompt. */
export const encodeSystem = (conversation: Conversation, context: ContentContext): readonly JsonObject[] =>
  placedPrompt(conversation, context.lost).flatMap(({ part, path }) =>
    withCachePoint(encodeText(part, path, context.lost), part.cache, { path, context }),
  );
