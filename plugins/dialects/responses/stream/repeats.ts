import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { objectOf, objectsOf, textOf } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';

const said = (...values: readonly (Json | undefined)[]): readonly string[] =>
  values.flatMap((value) => textOf(value) ?? []);

const titleOf = ({ title, filename }: JsonObject): Json | undefined => textOf(title) ?? filename;

const partTexts = ({ text, refusal, transcript, annotations }: JsonObject): readonly string[] =>
  said(text, refusal, transcript, ...objectsOf(annotations).map(titleOf));

const itemTexts = (item: JsonObject): readonly string[] => [
  ...objectsOf(item.content).flatMap(partTexts),
  ...objectsOf(item.summary).flatMap(partTexts),
  ...(item.type === 'function_call' ? said(item.arguments) : []),
  ...(item.type === 'custom_tool_call' ? said(item.input) : []),
];

/**
 * What the `.done` events repeat of a text, a part and an item, and the last event of the whole output:
 * https://platform.openai.com/docs/api-reference/responses-streaming. Server tools are told whole, when their item is done.
 */
export const repeats = ({ data }: Frame): readonly string[] => {
  const event = parseObject(data) ?? {};
  return [
    ...partTexts(event),
    ...(textOf(event.type)?.startsWith('response.function_call_arguments.') ? said(event.arguments) : []),
    ...(textOf(event.type)?.startsWith('response.custom_tool_call_input.') ? said(event.input) : []),
    ...partTexts(objectOf(event.part) ?? {}),
    ...itemTexts(objectOf(event.item) ?? {}),
    ...objectsOf(objectOf(event.response)?.output).flatMap(itemTexts),
  ].filter((text) => text !== '');
};
