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

/** The texts of a value, in their order. */
const textsIn = (value: Json | undefined): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([member, each]) => (framing.has(member) ? [] : textsIn(each)));
};

/**
 * What every request of a conversation begins with, as one text: what its system says, and its turns up to the first one of
 * its user, whether a client writes them as a string or as a list of parts. Undefined for a body that has no turns.
 */
export const promptPrefix = (body: JsonObject): string | undefined => {
  const turns = turnMembers.map((member) => body[member]).find((value) => value !== undefined);
  if (turns === undefined) return undefined;
  return JSON.stringify([...leadingMembers.flatMap((member) => textsIn(body[member])), ...textsIn(beginning(turns))]);
};
