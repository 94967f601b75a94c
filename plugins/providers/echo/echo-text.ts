import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

const readText = (content: Json | undefined): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : undefined))
    .filter((text) => text !== undefined)
    .join('\n');
};

/** The text of the last user message of a chat request; empty if there is none. */
export const echoText = (body: JsonObject): string => {
  if (!Array.isArray(body.messages)) return '';
  const last = body.messages.findLast((message) => isJsonObject(message) && message.role === 'user');
  return isJsonObject(last) ? readText(last.content) : '';
};

/** The words of a text, each with the white space before it; joined, they are the text again. */
export const toWords = (text: string): readonly string[] => text.match(/\s*\S+|\s+$/g) ?? [];
