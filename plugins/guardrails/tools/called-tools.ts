import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../schema/json/loose.ts';

const readName = (value: Json): string => {
  const { function: called, custom, name } = findObject(value) ?? {};
  return findText(findObject(called)?.name) ?? findText(findObject(custom)?.name) ?? findText(name) ?? '';
};

const inMessage = (value: Json | undefined): readonly string[] => {
  const { tool_calls: calls, function_call: call } = findObject(value) ?? {};
  return [...toObjects(calls).map(readName), ...(call === undefined || call === null ? [] : [readName(call)])];
};

/** Returns the tools of `tool_use`, `server_tool_use` and `mcp_tool_use`. */
const inMessages = (body: JsonObject): readonly string[] =>
  toObjects(body.content)
    .filter(({ type }) => typeof type === 'string' && type.endsWith('tool_use'))
    .map(readName);

/** `function_call` and `custom_tool_call` name their tool. `web_search_call` calls the tool in its type. */
const ofItem = (item: JsonObject): readonly string[] => {
  const type = findText(item.type) ?? '';
  if (!type.endsWith('_call')) return [];
  return [findText(item.name) ?? type.slice(0, -'_call'.length)];
};

const ofPart = (part: JsonObject): readonly string[] => {
  const call = part.functionCall ?? part.function_call;
  if (call !== undefined) return [readName(call)];
  return part.executableCode === undefined && part.executable_code === undefined ? [] : ['codeExecution'];
};

const inGemini = (body: JsonObject): readonly string[] =>
  toObjects(body.candidates).flatMap(({ content }) => toObjects(findObject(content)?.parts).flatMap(ofPart));

const inConverse = (body: JsonObject): readonly string[] =>
  toObjects(findObject(findObject(body.output)?.message)?.content).flatMap(({ toolUse }) =>
    toolUse === undefined ? [] : [readName(toolUse)],
  );

/** Functions that return the names of the tools that an answer calls, in all its choices, by the client's dialect. */
export const calledTools: ReadonlyMap<string, (answer: JsonObject) => readonly string[]> = new Map([
  ['chat', (answer) => toObjects(answer.choices).flatMap(({ message }) => inMessage(message))],
  ['messages', inMessages],
  ['responses', (answer) => toObjects(answer.output).flatMap(ofItem)],
  ['gemini', inGemini],
  ['converse', inConverse],
  ['cohere', (answer) => inMessage(answer.message)],
]);
