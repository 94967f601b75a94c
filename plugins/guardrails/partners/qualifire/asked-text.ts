import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';

/** The members in which the formats of requests have what the model reads, in the order in which it is read. */
const readMembers = [
  ...['system', 'instructions', 'systemInstruction', 'system_instruction'],
  ...['messages', 'input', 'contents', 'prompt'],
] as const;

/** The members in which messages, and the parts of messages, have texts. */
const textMembers = ['text', 'content', 'parts', 'output', 'toolResult'] as const;

const addTexts = (texts: string[], value: Json | undefined): void => {
  if (typeof value === 'string') {
    if (value.trim() !== '') texts.push(value);
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) addTexts(texts, item);
    return;
  }
  const found = findObject(value);
  if (found !== undefined) for (const member of textMembers) addTexts(texts, found[member]);
};

/** The instructions and the conversation of a request, a line each, in whatever format it is; empty if it has none. */
export const askedText = (body: JsonObject): string => {
  const texts: string[] = [];
  for (const member of readMembers) addTexts(texts, body[member]);
  return texts.join('\n');
};
