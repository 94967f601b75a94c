import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';

const said = (...values: readonly (Json | undefined)[]): readonly string[] =>
  values.flatMap((value) => findText(value) ?? []);

const findTitle = ({ title, filename }: JsonObject): Json | undefined => findText(title) ?? filename;

const partTexts = ({ text, refusal, transcript, annotations }: JsonObject): readonly string[] =>
  said(text, refusal, transcript, ...toObjects(annotations).map(findTitle));

const itemTexts = (item: JsonObject): readonly string[] => [
  ...toObjects(item.content).flatMap(partTexts),
  ...toObjects(item.summary).flatMap(partTexts),
  ...(item.type === 'function_call' ? said(item.arguments) : []),
  ...(item.type === 'custom_tool_call' ? said(item.input) : []),
];

/**
 * Lists the texts of `.done` events, which repeat a text, a part or an item, and of the last event, which repeats the whole
 * output: https://platform.openai.com/docs/api-reference/responses-streaming. Server tools are reported as a whole, when their
 * item is done.
 */
export const repeats = ({ data }: Frame): readonly string[] => {
  const event = parseObject(data) ?? {};
  return [
    ...partTexts(event),
    ...(findText(event.type)?.startsWith('response.function_call_arguments.') ? said(event.arguments) : []),
    ...(findText(event.type)?.startsWith('response.custom_tool_call_input.') ? said(event.input) : []),
    ...partTexts(findObject(event.part) ?? {}),
    ...itemTexts(findObject(event.item) ?? {}),
    ...toObjects(findObject(event.response)?.output).flatMap(itemTexts),
  ].filter((text) => text !== '');
};
