import { createHash, type Hash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';

/**
 * Returns the content of a block for comparison: its text, or the call that it makes or answers. Cache hints are left out,
 * because they move from one request to the next.
 */
const saidBy = (block: Json): string => {
  if (!isJsonObject(block)) return '';
  const { type, text, id, tool_use_id: answered } = block;
  if (type === 'text') return String(text);
  return `${String(type)} ${String(id ?? answered ?? '')}`;
};

/** Returns the texts of content. A string is equivalent to a single text. */
const readTexts = (content: Json | undefined): readonly string[] => {
  if (typeof content === 'string') return [content];
  return Array.isArray(content) ? content.map(saidBy) : [];
};

/**
 * Creates names for the values that close the texts of a conversation, which clients drop when they fold a stream. A name depends
 * on the text and on everything before it, so no other conversation has the same name.
 */
export class EndingNames {
  readonly #said: Hash = createHash('sha256');

  /** Adds an earlier message. */
  add(message: JsonObject): void {
    this.#said.update(`${String(message.role)}\0`);
    for (const text of readTexts(message.content)) this.#said.update(`${text}\0`);
  }

  /** Returns the name of the value that closes this text of the next message. */
  of(text: string): string {
    return `ending_${this.#said.copy().update(text).digest('base64url')}`;
  }
}

/** Returns the name of the value that closes a text of the answer to a request. */
export const endingName = ({ messages }: JsonObject, text: string): string => {
  const names = new EndingNames();
  if (Array.isArray(messages)) for (const message of messages) if (isJsonObject(message)) names.add(message);
  return names.of(text);
};

/** Returns the last block of a message, if it is a text without a signature. */
export const unsignedText = (content: Json | undefined): string | undefined => {
  if (typeof content === 'string') return content;
  const last = Array.isArray(content) ? content.at(-1) : undefined;
  if (!isJsonObject(last) || last.type !== 'text' || typeof last.text !== 'string') return undefined;
  return typeof last.signature === 'string' && last.signature !== '' ? undefined : last.text;
};
