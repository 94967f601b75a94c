import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import type { Frame, FrameClass } from '../../../sdk/dialect/dialect.ts';
import type { EndFrame } from '../../../sdk/dialect/stream-usage.ts';
import { isErrorChunk } from '../parts/broken-off.ts';

/** Not every provider sends [DONE] after the last finish reason. */
export const endFrames: readonly EndFrame[] = [{ data: '[DONE]' }, { member: ['choices', 'finish_reason'] }];

// Inside a JSON string every quote is escaped, so none of these can match the text of the model.
const finishes = /"finish_reason"\s*:\s*(?:[^n\s"]|"[^"])/;

/** A delta with content, after members without. Sticky: it matches at one position only. */
const says =
  /delta"\s*:\s*\{\s*(?:"\w+"\s*:\s*(?:null|""|"assistant")\s*,\s*)*"(?:(?:content|reasoning_content|reasoning|refusal)"\s*:\s*"[^"]|(?:tool_calls|content_blocks|images|annotations)"\s*:\s*\[\s*\{|audio"\s*:\s*\{\s*")/y;

/**
 * The names are searched for without their opening quote, because text is full of quotes and a search that starts with one is
 * slow.
 */
const saysSomething = (data: string): boolean => {
  const at = data.indexOf('delta"');
  if (at < 0) return false;
  says.lastIndex = at;
  return says.test(data) && !finishes.test(data) && !data.includes('error"');
};

const isSaid = (value: Json): boolean =>
  (typeof value === 'string' && value !== '') ||
  (Array.isArray(value) && value.length > 0) ||
  (isJsonObject(value) && Object.keys(value).length > 0);

/** Whether a choice has content. Log probabilities may come in a separate chunk. */
const hasContent = ({ delta: said, logprobs }: JsonObject): boolean =>
  (isJsonObject(said) && Object.entries(said).some(([name, value]) => name !== 'role' && isSaid(value))) ||
  (isJsonObject(logprobs) && Object.values(logprobs).some(isSaid));

/** Returns the class of a chunk from its parsed value. This is the definition that `classify` computes cheaply. */
export const classifyChunk = (chunk: Json | undefined): FrameClass => {
  if (!isJsonObject(chunk)) return 'content';
  if (isErrorChunk(chunk)) return 'error';
  const choices = toObjects(chunk.choices);
  // Not every provider sends [DONE] after it, so a finish reason is the end. An empty one does not count.
  if (choices.some(({ finish_reason }) => (findText(finish_reason) ?? '') !== '')) return 'end';
  if (choices.some(hasContent)) return 'content';
  return choices.length === 0 && isJsonObject(chunk.usage) ? 'usage' : 'preamble';
};

/**
 * Returns the class of a chunk. Nearly all chunks are classified by searching their text; only those with a rare name, or without
 * any known content, are parsed.
 */
export const classify = ({ event, data }: Frame): FrameClass => {
  if (data.startsWith('[DONE]')) return 'end';
  if (event === 'error') return 'error';
  if (saysSomething(data)) return 'content';
  return classifyChunk(parseJson(data));
};
