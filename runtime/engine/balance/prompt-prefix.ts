import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** The members that have the turns of a conversation, in the formats that the gateway reads. */
const turnMembers = ['messages', 'input', 'contents'] as const;

/** The members that stand before its turns. */
const leadingMembers = ['system', 'instructions', 'systemInstruction', 'system_instruction'] as const;

/** Members that say how a text is sent, which changes from one request of a conversation to the next. */
const framing: ReadonlySet<string> = new Set(['type', 'role', 'id', 'status', 'cache_control', 'cachePoint']);

const isUsersTurn = (turn: Json): boolean => isJsonObject(turn) && (turn.role === 'user' || turn.role === undefined);

const beginning = (turns: Json): Json => {
  if (!Array.isArray(turns)) return turns;
  const first = turns.findIndex(isUsersTurn);
  return first < 0 ? turns : turns.slice(0, first + 1);
};

/** Adds the texts of a value, in their order. To one list: each of the nested ones would otherwise be copied at every level. */
const addTexts = (texts: string[], value: Json | undefined): void => {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value) addTexts(texts, item);
  else if (isJsonObject(value))
    for (const [member, each] of Object.entries(value)) if (!framing.has(member)) addTexts(texts, each);
};

/**
 * What every request of a conversation begins with, as one text: what its system says, and its turns up to the first one of
 * its user, whether a client writes them as a string or as a list of parts. Undefined for a body that has no turns.
 */
export const promptPrefix = (body: JsonObject): string | undefined => {
  const turns = turnMembers.map((member) => body[member]).find((value) => value !== undefined);
  if (turns === undefined) return undefined;
  const texts: string[] = [];
  for (const member of leadingMembers) addTexts(texts, body[member]);
  addTexts(texts, beginning(turns));
  return JSON.stringify(texts);
};
