import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** The text of the last message in a body, and a function that replaces it. */
export interface LastText {
  readonly text: string;
  /** The number of messages in the conversation. */
  readonly messages: number;
  with(text: string): JsonObject;
}

/** Where a dialect has its messages. */
interface Shape {
  readonly list: string;
  /** The member of a message that contains its text or its parts. */
  readonly content: string;
  /** The type of a text part, if parts have types. */
  readonly type?: string;
}

const shapes: Readonly<Record<string, Shape>> = {
  chat: { list: 'messages', content: 'content', type: 'text' },
  cohere: { list: 'messages', content: 'content', type: 'text' },
  converse: { list: 'messages', content: 'content' },
  gemini: { list: 'contents', content: 'parts' },
  messages: { list: 'messages', content: 'content', type: 'text' },
  responses: { list: 'input', content: 'content', type: 'input_text' },
};

/** The members that can be the only text of a body, by dialect. */
const textMembers: Readonly<Record<string, string>> = { completions: 'prompt', responses: 'input' };

type Replace = (text: string) => Json;

const textPart = (part: Json, { type }: Shape): string | undefined =>
  isJsonObject(part) && part.type === type && typeof part.text === 'string' ? part.text : undefined;

/** Returns the only text of a message's content. Undefined if there is none, or more than one. */
const findText = (content: Json | undefined, shape: Shape): { text: string; replace: Replace } | undefined => {
  if (typeof content === 'string') return { text: content, replace: (text) => text };
  if (!Array.isArray(content)) return undefined;
  const at = content.flatMap((part, index) => (textPart(part, shape) === undefined ? [] : [index]));
  const [index = -1] = at;
  const part = content[index];
  if (at.length !== 1 || !isJsonObject(part) || typeof part.text !== 'string') return undefined;
  return { text: part.text, replace: (text) => content.with(index, { ...part, text }) };
};

/** In Gemini's dialect, a message without a role is the user's. */
const isUsers = ({ role, type = 'message' }: JsonObject, { list }: Shape): boolean =>
  type === 'message' && (role === 'user' || (role === undefined && list === 'contents'));

/**
 * Returns the text of the last message in a body, if that message is the user's and has exactly one text. Undefined otherwise,
 * and for unknown dialects.
 */
export const lastText = (body: JsonObject, dialect: string): LastText | undefined => {
  const member = textMembers[dialect];
  const whole = member === undefined ? undefined : body[member];
  if (member !== undefined && typeof whole === 'string')
    return { text: whole, messages: 1, with: (text) => ({ ...body, [member]: text }) };
  const shape = shapes[dialect];
  const list = shape === undefined ? undefined : body[shape.list];
  if (shape === undefined || !Array.isArray(list)) return undefined;
  const last = list.at(-1);
  if (!isJsonObject(last) || !isUsers(last, shape)) return undefined;
  const found = findText(last[shape.content], shape);
  if (found === undefined) return undefined;
  return {
    text: found.text,
    messages: list.length,
    with: (text) => ({
      ...body,
      [shape.list]: list.with(-1, { ...last, [shape.content]: found.replace(text) }),
    }),
  };
};
