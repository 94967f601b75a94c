import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { objectOf, objectsOf, textOf } from '../../../schema/json/loose.ts';

const nameOf = (value: Json): string => {
  const { function: called, custom, name } = objectOf(value) ?? {};
  return textOf(objectOf(called)?.name) ?? textOf(objectOf(custom)?.name) ?? textOf(name) ?? '';
};

const inMessage = (value: Json | undefined): readonly string[] => {
  const { tool_calls: calls, function_call: call } = objectOf(value) ?? {};
  return [...objectsOf(calls).map(nameOf), ...(call === undefined || call === null ? [] : [nameOf(call)])];
};

/** `tool_use`, `server_tool_use` and `mcp_tool_use`. */
const inMessages = (body: JsonObject): readonly string[] =>
  objectsOf(body.content)
    .filter(({ type }) => typeof type === 'string' && type.endsWith('tool_use'))
    .map(nameOf);

/** `function_call` and `custom_tool_call` name their tool; `web_search_call` is the call of the tool in its type. */
const ofItem = (item: JsonObject): readonly string[] => {
  const type = textOf(item.type) ?? '';
  if (!type.endsWith('_call')) return [];
  return [textOf(item.name) ?? type.slice(0, -'_call'.length)];
};

const ofPart = (part: JsonObject): readonly string[] => {
  const call = part.functionCall ?? part.function_call;
  if (call !== undefined) return [nameOf(call)];
  return part.executableCode === undefined && part.executable_code === undefined ? [] : ['codeExecution'];
};

const inGemini = (body: JsonObject): readonly string[] =>
  objectsOf(body.candidates).flatMap(({ content }) => objectsOf(objectOf(content)?.parts).flatMap(ofPart));

const inConverse = (body: JsonObject): readonly string[] =>
  objectsOf(objectOf(objectOf(body.output)?.message)?.content).flatMap(({ toolUse }) =>
    toolUse === undefined ? [] : [nameOf(toolUse)],
  );

/** The names of the tools that an answer calls, in all its choices, by the client's dialect. */
export const calledTools: ReadonlyMap<string, (answer: JsonObject) => readonly string[]> = new Map([
  ['chat', (answer) => objectsOf(answer.choices).flatMap(({ message }) => inMessage(message))],
  ['messages', inMessages],
  ['responses', (answer) => objectsOf(answer.output).flatMap(ofItem)],
  ['gemini', inGemini],
  ['converse', inConverse],
  ['cohere', (answer) => inMessage(answer.message)],
]);
