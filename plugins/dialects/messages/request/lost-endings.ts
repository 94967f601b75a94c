import { createHash, type Hash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';

/**
 * Writes the text of a block: its text, or the call that it is or answers. Cache hints move from one request to the
 * next.
 */
const saidBy = (block: Json): string => {
  if (!isJsonObject(block)) return '';
  const { type, text, id, tool_use_id: answered } = block;
  if (type === 'text') return String(text);
  return `${String(type)} ${String(id ?? answered ?? '')}`;
};

/** A string is the same as one text. */
const readTexts = (content: Json | undefined): readonly string[] => {
  if (typeof content === 'string') return [content];
  return Array.isArray(content) ? content.map(saidBy) : [];
};

/**
 * Names for what closes the texts of a conversation, which clients drop when they fold a stream: each by all that was said
 * before it and by the text itself, so that no other conversation has it.
 */
export class EndingNames {
  readonly #said: Hash = createHash('sha256');

  /** A message that comes before. */
  add(message: JsonObject): void {
    this.#said.update(`${String(message.role)}\0`);
    for (const text of readTexts(message.content)) this.#said.update(`${text}\0`);
  }

  /** The name of what closes this text of the next message. */
  of(text: string): string {
    return `ending_${this.#said.copy().update(text).digest('base64url')}`;
  }
}

/** The name of what closes a text of the answer to a request. */
export const endingName = ({ messages }: JsonObject, text: string): string => {
  const names = new EndingNames();
  if (Array.isArray(messages)) for (const message of messages) if (isJsonObject(message)) names.add(message);
  return names.of(text);
};

/** The last block of a message, if it is a text without a signature. */
export const unsignedText = (content: Json | undefined): string | undefined => {
  if (typeof content === 'string') return content;
  const last = Array.isArray(content) ? content.at(-1) : undefined;
  if (!isJsonObject(last) || last.type !== 'text' || typeof last.text !== 'string') return undefined;
  return typeof last.signature === 'string' && last.signature !== '' ? undefined : last.text;
};
