import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import type { Frame, FrameClass } from '../../../sdk/dialect/dialect.ts';
import type { EndFrame } from '../../../sdk/dialect/stream-usage.ts';

export const endFrames: readonly EndFrame[] = [{ type: 'response.completed' }, { type: 'response.incomplete' }];

/** The type at the beginning of an event's data, where every known event has it. */
const typeAtStart = /^\s*\{\s*"type"\s*:\s*"(response\.[\w.]+)"/;

// Inside a JSON string every quote is escaped, so this cannot match the text of the model.
const emptyDelta = /"delta"\s*:\s*""/;

const isSaid = (value: Json | undefined): boolean => typeof value === 'string' && value !== '';

const hasWords = (part: JsonObject): boolean => isSaid(part.text) || isSaid(part.refusal);

/** Whether an item has content. A message and reasoning begin empty; any other item is an action of the model. */
const hasContent = (item: JsonObject): boolean => {
  if (item.type === 'message') return toObjects(item.content).some(hasWords);
  if (item.type !== 'reasoning') return true;
  return [...toObjects(item.summary), ...toObjects(item.content)].some(hasWords);
};

/** Events whose content is often empty. No others are parsed: an image may be megabytes long. */
const mayBeEmpty = /\.(?:output_item|content_part|reasoning_summary_part)\.(?:added|done)$|(?:_text|refusal)\.done$/;

const classifyContent = (type: string, event: JsonObject): boolean => {
  switch (type) {
    case 'response.output_item.added':
    case 'response.output_item.done':
      return hasContent(findObject(event.item) ?? {});
    case 'response.content_part.added':
    case 'response.content_part.done':
    case 'response.reasoning_summary_part.added':
    case 'response.reasoning_summary_part.done':
      return hasWords(findObject(event.part) ?? {});
    default:
      return hasWords(event);
  }
};

const classifyType = (type: string, data: string): FrameClass => {
  if (type.endsWith('.delta')) return emptyDelta.test(data) ? 'preamble' : 'content';
  switch (type) {
    case 'response.completed':
    case 'response.incomplete':
      return 'end';
    case 'response.failed':
    case 'error':
      return 'error';
    case 'response.output_text.annotation.added':
    case 'response.function_call_arguments.done':
    case 'response.custom_tool_call_input.done':
      return 'content';
    default: {
      if (!mayBeEmpty.test(type)) return 'preamble';
      const event = parseJson(data);
      return isJsonObject(event) && classifyContent(type, event) ? 'content' : 'preamble';
    }
  }
};

/**
 * Returns the class of an event without a name whose data does not begin with the type: `[DONE]`, an error of a proxy, or
 * something that is not an event.
 */
const classifyOdd = (data: string): FrameClass => {
  if (data.startsWith('[DONE]')) return 'preamble';
  const event = parseJson(data);
  if (!isJsonObject(event)) return 'content';
  const type = findText(event.type);
  if (type !== undefined) return classifyType(type, data);
  return event.error === undefined || event.error === null ? 'content' : 'error';
};

/** Returns the class of an event, by its name, or by the `type` in its data if a provider omits the name. */
export const classify = ({ event, data }: Frame): FrameClass => {
  if (event !== undefined && event !== 'message') return classifyType(event, data);
  const type = typeAtStart.exec(data)?.[1];
  return type === undefined ? classifyOdd(data) : classifyType(type, data);
};
