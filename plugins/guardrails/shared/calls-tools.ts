import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** The members that contain tool calls in the formats of vendors. */
const members: ReadonlySet<string> = new Set(['tool_calls', 'function_call', 'functionCall', 'toolUse']);

const isCall = ({ type }: JsonObject): boolean =>
  typeof type === 'string' && (type.endsWith('tool_use') || type.endsWith('_call'));

const isFilled = (value: Json): boolean => (Array.isArray(value) ? value.length > 0 : isJsonObject(value));

/** Whether an answer calls a tool, in any vendor's format. */
export const callsTools = (answer: JsonObject): boolean => {
  const waiting: Json[] = [answer];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) for (const item of value) waiting.push(item);
    if (!isJsonObject(value)) continue;
    if (isCall(value)) return true;
    for (const [name, inner] of Object.entries(value)) {
      if (members.has(name) && isFilled(inner)) return true;
      waiting.push(inner);
    }
  }
  return false;
};
