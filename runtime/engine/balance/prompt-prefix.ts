import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** The members that have the turns of a conversation, in the formats that the gateway reads. */
const turnMembers = ['messages', 'input', 'contents'] as const;

/** The members that stand before its turns. */
const leadingMembers = ['system', 'instructions', 'systemInstruction', 'system_instruction'] as const;

const isUsersTurn = (turn: Json): boolean => isJsonObject(turn) && (turn.role === 'user' || turn.role === undefined);

const beginning = (turns: Json): Json => {
  if (!Array.isArray(turns)) return turns;
  const first = turns.findIndex(isUsersTurn);
  return first < 0 ? turns : turns.slice(0, first + 1);
};

/** Hints at what to cache move from turn to turn as a conversation goes on. */
const withoutHint = (member: string, value: unknown): unknown => (member === 'cache_control' ? undefined : value);

/**
 * What every request of a conversation begins with, as one text: what its system says, and its turns up to the first one of
 * its user. Undefined for a body that has no turns.
 */
export const promptPrefix = (body: JsonObject): string | undefined => {
  const turns = turnMembers.map((member) => body[member]).find((value) => value !== undefined);
  if (turns === undefined) return undefined;
  return JSON.stringify([...leadingMembers.map((member) => body[member] ?? null), beginning(turns)], withoutHint);
};
