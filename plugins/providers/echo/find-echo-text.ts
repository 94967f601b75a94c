import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

const readText = (content: Json | undefined): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : undefined))
    .filter((text) => text !== undefined)
    .join('\n');
};

const isOf = (message: Json | undefined, role: string): message is JsonObject =>
  isJsonObject(message) && message.role === role;

/**
 * Returns the text of the last user message of a chat request, without the beginning that a last message of the model has
 * already. Returns an empty text if there is none.
 */
export const findEchoText = ({ messages }: JsonObject): string => {
  if (!Array.isArray(messages)) return '';
  const asked = messages.findLast((message) => isOf(message, 'user'));
  const text = isOf(asked, 'user') ? readText(asked.content) : '';
  const last = messages.at(-1);
  const begun = isOf(last, 'assistant') ? readText(last.content) : '';
  return text.startsWith(begun) ? text.slice(begun.length) : text;
};

/** Splits a text into words, each with the white space before it. Joined, they are the text again. */
export const toWords = (text: string): readonly string[] => text.match(/\s*\S+|\s+$/g) ?? [];
