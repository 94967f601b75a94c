import type { ConversationCodec, Dialect } from '../../plugins/sdk/dialect.ts';
import type { Part } from '../../schema/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts';

/** A text, or the texts among a list of parts, a line each. Undefined where it is neither. */
const textOf = (content: Json | undefined): string | undefined => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  return content.map(partText).join('\n');
};

const partText = (part: Json): string => {
  if (typeof part === 'string') return part;
  return isJsonObject(part) && typeof part.text === 'string' ? part.text : '';
};

const lastMessageText = (messages: Json | undefined): string | undefined => {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  return isJsonObject(last) ? (textOf(last.content) ?? '') : undefined;
};

const texts = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.kind === 'text' || part.kind === 'refusal' ? [part.text] : [])).join('\n');

/** The text of what a codec makes of it; a body that does not fit the dialect has none, and its provider will say why. */
const codecText = (
  codec: ConversationCodec | undefined,
  read: (codec: ConversationCodec) => readonly { readonly parts: readonly Part[] }[],
): string => {
  try {
    return codec === undefined ? '' : texts(read(codec).flatMap(({ parts }) => parts));
  } catch {
    return '';
  }
};

/**
 * The text that input checks look at: the last message, the prompt, or the input, as these stand in the body. Where a
 * dialect has none of them, the last turn of the conversation.
 */
export const requestText = (params: JsonObject, { conversation }: Dialect): string =>
  lastMessageText(params.messages) ??
  textOf(params.prompt) ??
  textOf(params.input) ??
  codecText(conversation, (codec) => codec.decodeRequest(params).turns.slice(-1));

/** The text that output checks look at: all text of the first choice. */
export const answerText = (answer: JsonObject, { conversation }: Dialect): string =>
  codecText(conversation, (codec) => codec.decodeAnswer(answer).choices.slice(0, 1));
