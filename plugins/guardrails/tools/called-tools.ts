import type { JsonObject } from '../../../schema/json.ts';
import { firstText, objectAt, objectsAt } from './loose.ts';

const nameOf = (call: JsonObject): string =>
  firstText(objectAt(call.function).name, objectAt(call.custom).name, call.name) ?? '';

const inMessage = (message: JsonObject): readonly string[] => [
  ...objectsAt(message.tool_calls).map(nameOf),
  ...(message.function_call === undefined || message.function_call === null
    ? []
    : [nameOf(objectAt(message.function_call))]),
];

/** `tool_use`, `server_tool_use` and `mcp_tool_use`. */
const inMessages = (body: JsonObject): readonly string[] =>
  objectsAt(body.content)
    .filter(({ type }) => typeof type === 'string' && type.endsWith('tool_use'))
    .map(nameOf);

/** `function_call` and `custom_tool_call` name their tool; `web_search_call` is the call of the tool in its type. */
const ofItem = (item: JsonObject): readonly string[] => {
  const type = firstText(item.type) ?? '';
  if (!type.endsWith('_call')) return [];
  return [firstText(item.name) ?? type.slice(0, -'_call'.length)];
};

const ofPart = (part: JsonObject): readonly string[] => {
  const call = part.functionCall ?? part.function_call;
  if (call !== undefined) return [nameOf(objectAt(call))];
  return part.executableCode === undefined && part.executable_code === undefined ? [] : ['codeExecution'];
};

const inGemini = (body: JsonObject): readonly string[] =>
  objectsAt(body.candidates).flatMap(({ content }) => objectsAt(objectAt(content).parts).flatMap(ofPart));

const inConverse = (body: JsonObject): readonly string[] =>
  objectsAt(objectAt(objectAt(body.output).message).content).flatMap(({ toolUse }) =>
    toolUse === undefined ? [] : [nameOf(objectAt(toolUse))],
  );

/** The names of the tools that an answer calls, in all its choices, by the client's dialect. */
export const calledTools: ReadonlyMap<string, (answer: JsonObject) => readonly string[]> = new Map([
  ['chat', (answer) => objectsAt(answer.choices).flatMap(({ message }) => inMessage(objectAt(message)))],
  ['messages', inMessages],
  ['responses', (answer) => objectsAt(answer.output).flatMap(ofItem)],
  ['gemini', inGemini],
  ['converse', inConverse],
  ['cohere', (answer) => inMessage(objectAt(answer.message))],
]);
