import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import type { Frame, FrameClass } from '../../sdk/dialect.ts';
import { objectsOf, textOf } from '../wire/loose.ts';
import { parseJson } from '../wire/parse-json.ts';

// Inside a JSON string every quote is escaped, so none of these can match a model's own words.
const finishes = /"finish_reason"\s*:\s*"/;
const says =
  /"(?:content|reasoning_content|reasoning|refusal)"\s*:\s*"[^"]|"(?:tool_calls|content_blocks)"\s*:\s*\[\s*\{/;

const isSaid = (value: Json): boolean =>
  (typeof value === 'string' && value !== '') ||
  (Array.isArray(value) && value.length > 0) ||
  (isJsonObject(value) && Object.keys(value).length > 0);

const hasContent = ({ delta }: JsonObject): boolean =>
  isJsonObject(delta) && Object.entries(delta).some(([name, value]) => name !== 'role' && isSaid(value));

/** The class of a chunk by its parsed value: the meaning that `classify` tells cheaply. */
export const classifyChunk = (chunk: Json | undefined): FrameClass => {
  if (!isJsonObject(chunk)) return 'content';
  if (chunk.error !== undefined && chunk.error !== null) return 'error';
  const choices = objectsOf(chunk.choices);
  // Not every provider says [DONE] after it, so a finish reason is the end.
  if (choices.some(({ finish_reason }) => textOf(finish_reason) !== undefined)) return 'end';
  if (choices.some(hasContent)) return 'content';
  return choices.length === 0 && isJsonObject(chunk.usage) ? 'usage' : 'preamble';
};

/**
 * What a chunk is. Nearly all chunks of a stream are told by searching their text; only those where a rare word occurs,
 * or none that says something, are parsed.
 */
export const classify = ({ event, data }: Frame): FrameClass => {
  if (data.startsWith('[DONE]')) return 'end';
  if (event === 'error') return 'error';
  if (says.test(data) && !data.includes('"error"') && !finishes.test(data)) return 'content';
  return classifyChunk(parseJson(data));
};
