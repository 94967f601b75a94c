import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';

interface MessageList {
  /** The member that contains the messages. */
  readonly member: string;
  /** Returns the dialect's name for a role. */
  role(role: string): string;
  content(text: string): JsonObject;
}

const same = (role: string): string => role;
const plain = (content: string): JsonObject => ({ content });

/** How each dialect writes messages. */
const lists: Readonly<Record<string, MessageList>> = {
  chat: { member: 'messages', role: same, content: plain },
  cohere: { member: 'messages', role: same, content: plain },
  messages: { member: 'messages', role: same, content: plain },
  responses: { member: 'input', role: same, content: plain },
  gemini: {
    member: 'contents',
    role: (role) => (role === 'assistant' ? 'model' : role),
    content: (text) => ({ parts: [{ text }] }),
  },
  converse: { member: 'messages', role: same, content: (text) => ({ content: [{ text }] }) },
};

/** A single text, which Open Responses allows, is a message of the user. */
const readItems = (value: Json | undefined): readonly Json[] => {
  if (typeof value === 'string') return [{ role: 'user', content: value }];
  return Array.isArray(value) ? value : [];
};

/**
 * Returns a request with an additional message: before the first of its role, or at the end if there is none. Undefined for a
 * dialect without messages.
 */
export const insertMessage = (
  dialect: string,
  body: JsonObject,
  { role, text }: { readonly role: string; readonly text: string },
): JsonObject | undefined => {
  const list = lookUp(lists, dialect);
  if (list === undefined) return undefined;
  const named = list.role(role);
  const items = readItems(body[list.member]);
  const first = items.findIndex((item) => isJsonObject(item) && item.role === named);
  const at = first === -1 ? items.length : first;
  const message = { role: named, ...list.content(text) };
  return { ...body, [list.member]: [...items.slice(0, at), message, ...items.slice(at)] };
};
