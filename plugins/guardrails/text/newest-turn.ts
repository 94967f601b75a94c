import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { fromPointer, type JsonPointer } from '../../../schema/json/pointer.ts';

/** The members of requests that contain messages, or one text. */
const messageLists: ReadonlySet<string> = new Set(['messages', 'input', 'contents']);

/** Whether an item is a message of the model. In Open Responses, its calls and reasoning are items without a role. */
const isModels = (item: Json): boolean => {
  if (!isJsonObject(item)) return false;
  const { role, type } = item;
  return role === 'assistant' || role === 'model' || (typeof type === 'string' && /(?:_call|^reasoning)$/.test(type));
};

/** Whether a text of a request comes after everything that the model said. Instructions outside of the messages do not. */
export const isInNewestTurn = (body: JsonObject, at: JsonPointer): boolean => {
  const [member = '', index] = fromPointer(at);
  if (!messageLists.has(member)) return false;
  const items = body[member];
  return !Array.isArray(items) || !items.slice(Number(index) + 1).some(isModels);
};
