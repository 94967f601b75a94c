import { isJsonObject, type Json, type JsonArray, type JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';

/** Changes the instructions of a request: receives the current ones, if any, and returns the new ones. */
type EditText = (present: string | undefined) => string;

const isInstruction = (message: Json): message is JsonObject =>
  isJsonObject(message) && (message.role === 'system' || message.role === 'developer');

const readParts = (content: Json | undefined): JsonArray => (Array.isArray(content) ? content : []);

/** Edits the first part with a text. If there is none, adds one in front. */
const editParts = (parts: JsonArray, edit: EditText): JsonArray => {
  const first = parts.findIndex((part) => isJsonObject(part) && typeof part.text === 'string');
  if (first === -1) return [{ text: edit(undefined) }, ...parts];
  return parts.map((part, index) =>
    index === first && isJsonObject(part) ? { ...part, text: edit(String(part.text)) } : part,
  );
};

/** Edits a text, or a list of parts with texts. Formats write instructions in either way. */
const editContent = (content: Json | undefined, edit: EditText): Json => {
  if (typeof content === 'string') return edit(content);
  const parts = readParts(content);
  if (parts.length === 0) return edit(undefined);
  const edited = editParts(parts, edit);
  const typed = parts.some((part) => isJsonObject(part) && typeof part.type === 'string');
  return typed ? edited.map((part) => (isJsonObject(part) ? { type: 'text', ...part } : part)) : edited;
};

/** Edits instructions in formats that write them as messages. */
const inMessages = (body: JsonObject, edit: EditText): JsonObject => {
  const messages = readParts(body.messages);
  const first = messages.findIndex(isInstruction);
  if (first === -1) return { ...body, messages: [{ role: 'system', content: edit(undefined) }, ...messages] };
  return {
    ...body,
    messages: messages.map((message, index) =>
      index === first && isJsonObject(message) ? { ...message, content: editContent(message.content, edit) } : message,
    ),
  };
};

const geminiName = (body: JsonObject): string =>
  Object.hasOwn(body, 'system_instruction') ? 'system_instruction' : 'systemInstruction';

const inGemini = (body: JsonObject, edit: EditText): JsonObject => {
  const name = geminiName(body);
  const present = body[name];
  if (typeof present === 'string') return { ...body, [name]: edit(present) };
  const content = isJsonObject(present) ? present : {};
  return { ...body, [name]: { ...content, parts: editParts(readParts(content.parts), edit) } };
};

/** How each dialect writes instructions. Other dialects have none. */
const editors: Readonly<Record<string, (body: JsonObject, edit: EditText) => JsonObject>> = {
  chat: inMessages,
  cohere: inMessages,
  messages: (body, edit) => ({ ...body, system: editContent(body.system, edit) }),
  responses: (body, edit) => ({
    ...body,
    instructions: edit(typeof body.instructions === 'string' ? body.instructions : undefined),
  }),
  gemini: inGemini,
  converse: (body, edit) => ({ ...body, system: editParts(readParts(body.system), edit) }),
};

/** Returns a request with its instructions edited. Undefined for a dialect without instructions. */
export const editInstructions = (dialect: string, body: JsonObject, edit: EditText): JsonObject | undefined =>
  lookUp(editors, dialect)?.(body, edit);
