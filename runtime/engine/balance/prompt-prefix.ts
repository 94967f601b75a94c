import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** The members that have the turns of a conversation, in the formats that the gateway reads. */
const turnMembers = ['messages', 'input', 'contents'] as const;

/** The members that stand before its turns. */
const leadingMembers = ['system', 'instructions', 'systemInstruction', 'system_instruction'] as const;

/** Members that say how a text is sent, which changes from one request of a conversation to the next. */
const framing: ReadonlySet<string> = new Set(['type', 'role', 'id', 'status', 'cache_control', 'cachePoint']);

const isUsersTurn = (turn: Json): boolean => isJsonObject(turn) && (turn.role === 'user' || turn.role === undefined);

/** Adds the texts of a value, in their order. Each has its length before it, so that other texts never make the same one. */
const withTexts = (before: string, value: Json | undefined): string => {
  if (typeof value === 'string') return `${before}${value.length} ${value}`;
  if (typeof value !== 'object' || value === null) return before;
  let texts = before;
  if (isJsonObject(value)) {
    for (const member in value) if (!framing.has(member)) texts = withTexts(texts, value[member]);
  } else for (const item of value) texts = withTexts(texts, item);
  return texts;
};

/** The same of turns up to the first one of the user, or of all where there is none. */
const withBeginning = (before: string, turns: Json): string => {
  if (!Array.isArray(turns)) return withTexts(before, turns);
  let texts = before;
  for (const turn of turns) {
    texts = withTexts(texts, turn);
    if (isUsersTurn(turn)) break;
  }
  return texts;
};

const findTurns = (body: JsonObject): Json | undefined => {
  for (const member of turnMembers) if (body[member] !== undefined) return body[member];
  return undefined;
};

/**
 * What every request of a conversation begins with, as one text: what its system says, and its turns up to the first one of
 * its user, whether a client writes them as a string or as a list of parts. Undefined for a body that has no turns.
 */
export const promptPrefix = (body: JsonObject): string | undefined => {
  const turns = findTurns(body);
  if (turns === undefined) return undefined;
  let texts = '';
  for (const member of leadingMembers) texts = withTexts(texts, body[member]);
  return withBeginning(texts, turns);
};
