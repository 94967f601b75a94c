import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import { findItems, toObjects } from '../../../../../schema/json/loose.ts';

/** The input of a request as items; as the client sent them, if it sent items. */
export const inputItems = (input: Json | undefined): readonly Json[] => {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  return findItems(input) ?? [];
};

/** How ids begin, by the type of what they are of. */
const prefixes: ReadonlyMap<string, string> = new Map([
  ['message', 'msg'],
  ['reasoning', 'rs'],
  ['function_call', 'fc'],
  ['function_call_output', 'fco'],
  ['custom_tool_call', 'ctc'],
  ['custom_tool_call_output', 'ctco'],
]);

const textType = (role: Json | undefined): string => (role === 'assistant' ? 'output_text' : 'input_text');

/** The content of a message as parts, which it may have been sent without. */
const contentParts = ({ role, content }: JsonObject): Json =>
  typeof content === 'string' ? [{ type: textType(role), text: content }] : (content ?? []);

const listed = (item: JsonObject, id: string): JsonObject => {
  const type = item.type ?? 'message';
  const known = { id, ...item, type };
  return type === 'message' ? { ...known, status: item.status ?? 'completed', content: contentParts(item) } : known;
};

/** The input of a response as its list shows it: each item has a type and an id, which is the same each time. */
export const listedInput = (response: string, input: Json): readonly JsonObject[] =>
  inputItems(input)
    .filter(isJsonObject)
    .map((item, at) => {
      const prefix = prefixes.get(String(item.type ?? 'message')) ?? 'item';
      return listed(item, `${prefix}_${response.replaceAll(/[^\w-]/g, '')}_${at}`);
    });

/** The items of a response's output. */
export const outputItems = ({ output }: JsonObject): readonly JsonObject[] => toObjects(output);
