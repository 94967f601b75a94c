import type { ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { append } from '../../shared/json/append.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Placed } from '../../shared/parts/placed.ts';
import { callArguments } from '../../shared/request/call-arguments.ts';
import type { Lost } from '../../shared/request/lost.ts';
import { encodeCall } from '../parts/calls.ts';
import { encodeCitations } from '../parts/citations.ts';
import { encodePart } from './encode-content.ts';

const writeCall = ({ part, path }: Placed<ToolCallPart>, lost: Lost): JsonObject => {
  const text = callArguments(part);
  if (part.input === undefined && text !== part.arguments) lost.push(`${path}.arguments`);
  if (part.cache !== undefined) lost.push(`${path}.cache`);
  return encodeCall(part, text);
};

const isCall = (placed: Placed): placed is Placed<ToolCallPart> => placed.part.kind === 'tool-call';

/**
 * Encodes a turn of the model. Returns undefined if nothing is left of it. Content and calls are separate members, so their
 * relative order is not kept. A plan is never written, because newer models reject it and it is optional.
 */
export const encodeAssistant = (parts: readonly Placed[], lost: Lost): JsonObject | undefined => {
  const content: JsonObject[] = [];
  const citations: JsonObject[] = [];
  const calls: JsonObject[] = [];
  for (const placed of parts) {
    if (isCall(placed)) {
      calls.push(writeCall(placed, lost));
      continue;
    }
    const isMedia = placed.part.kind === 'media';
    if (isMedia) lost.push(`${placed.path}.media`);
    const block = isMedia ? undefined : encodePart(placed, lost);
    if (block === undefined) continue;
    if (calls.length > 0) lost.push(`${placed.path}.order`);
    if (placed.part.kind === 'text') {
      if (placed.part.citations?.some(({ at }) => at !== undefined)) lost.push(`${placed.path}.citations`);
      append(citations, encodeCitations(placed.part, content.length));
    }
    content.push(block);
  }
  if (content.length === 0 && calls.length === 0) return undefined;
  return defined({
    role: 'assistant',
    content: content.length > 0 ? content : undefined,
    citations: citations.length > 0 ? citations : undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
  });
};
