import type { Dialect } from '../../plugins/sdk/dialect.ts';
import type { Part } from '../../schema/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts';

/** A string, or the strings in a list of parts, one per line. Undefined if it is neither. */
const textOf = (content: Json | undefined): string | undefined => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  return content.map(partText).join('\n');
};

/** Members of a part that hold text, or further parts: a tool's result and a document do. */
const speaking = ['text', 'refusal', 'content'] as const;

const partText = (part: Json | undefined): string => {
  if (typeof part === 'string') return part;
  if (Array.isArray(part)) return linesOf(part);
  if (!isJsonObject(part)) return '';
  const { source } = part;
  const document = isJsonObject(source) ? [source.type === 'text' ? source.data : source.content] : [];
  return linesOf([...speaking.map((member) => part[member]), ...document]);
};

const linesOf = (parts: readonly (Json | undefined)[]): string =>
  parts
    .map(partText)
    .filter((text) => text !== '')
    .join('\n');

const lastMessageText = (messages: Json | undefined): string | undefined => {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  return isJsonObject(last) ? (textOf(last.content) ?? partText(last.content)) : undefined;
};

/** The strings in a JSON value, including its keys and its other scalars as strings. */
const textsIn = (value: Json | undefined): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
  return value === undefined || value === null ? [] : [String(value)];
};

/** Arguments are parsed, because escapes would hide their text. */
const argumentTexts = (text: string): readonly string[] => {
  try {
    return textsIn(JSON.parse(text) as Json);
  } catch {
    return [text];
  }
};

const partTexts = (part: Part): readonly string[] => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return [part.text];
    case 'tool-call':
      return argumentTexts(part.arguments);
    case 'tool-result':
      return part.parts.flatMap(partTexts);
    case 'other':
      return textsIn(part.value);
    case 'media':
      return [];
  }
};

const spokenText = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.kind === 'text' || part.kind === 'refusal' ? [part.text] : [])).join('\n');

/** The last turn as a codec reads it; a body that is not valid in the dialect has none, and its provider will reject it. */
const lastTurnText = (params: JsonObject, { conversation }: Dialect): string => {
  try {
    return spokenText(conversation?.decodeRequest(params).turns.at(-1)?.parts ?? []);
  } catch {
    return '';
  }
};

/**
 * The text that input checks read: the last message, the prompt, or the input, as in the body. If a dialect has none of
 * them, the last turn of the conversation.
 */
export const requestText = (params: JsonObject, dialect: Dialect): string =>
  lastMessageText(params.messages) ?? textOf(params.prompt) ?? textOf(params.input) ?? lastTurnText(params, dialect);

/**
 * The text that output checks read: everything in any choice, one line each, whether text, refusal, reasoning or the
 * arguments of a tool call. Undefined if the answer is not valid in the dialect.
 */
export const answerText = (answer: JsonObject, { conversation }: Dialect): string | undefined => {
  try {
    return conversation
      ?.decodeAnswer(answer)
      .choices.flatMap(({ parts }) => parts.flatMap(partTexts))
      .filter((text) => text !== '')
      .join('\n');
  } catch {
    return undefined;
  }
};
