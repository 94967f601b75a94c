import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { fromPointer, type JsonPointer } from '../../../schema/json/pointer.ts';

/** The members of requests that hold messages, or one text. */
const messageLists: ReadonlySet<string> = new Set(['messages', 'input', 'contents']);

/** Messages of the model; Open Responses has its calls and its reasoning as items without a role. */
const isModels = (item: Json): boolean => {
  if (!isJsonObject(item)) return false;
  const { role, type } = item;
  return role === 'assistant' || role === 'model' || (typeof type === 'string' && /(?:_call|^reasoning)$/.test(type));
};

/** Whether a text of a request stands after all that the model said. Instructions beside the messages do not. */
export const isInNewestTurn = (body: JsonObject, at: JsonPointer): boolean => {
  const [member = '', index] = fromPointer(at);
  if (!messageLists.has(member)) return false;
  const items = body[member];
  return !Array.isArray(items) || !items.slice(Number(index) + 1).some(isModels);
};
