import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { readableBody } from '../call/readable-body.ts';

/** The members with the turns of a conversation, in the formats that the gateway reads. */
const turnMembers = ['messages', 'input', 'contents'] as const;

/** The members that come before the turns. */
const leadingMembers = ['system', 'instructions', 'systemInstruction', 'system_instruction'] as const;

/** Members that describe how a text is sent. These change between requests of a conversation. */
const framing: ReadonlySet<string> = new Set(['type', 'role', 'id', 'status', 'cache_control', 'cachePoint']);

const isUsersTurn = (turn: Json): boolean => isJsonObject(turn) && (turn.role === 'user' || turn.role === undefined);

/** Appends the texts of a value in order. Each is preceded by its length, so that different texts never have the same result. */
const withTexts = (before: string, value: Json | undefined): string => {
  if (typeof value === 'string') return `${before}${value.length} ${value}`;
  if (typeof value !== 'object' || value === null) return before;
  let texts = before;
  if (isJsonObject(value)) {
    for (const member in value) if (!framing.has(member)) texts = withTexts(texts, value[member]);
  } else for (const item of value) texts = withTexts(texts, item);
  return texts;
};

/** Appends the turns up to the first one of the user, or all if there is none. */
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
 * Returns the beginning that all requests of a conversation share, as one text: the system prompt, and the turns up to the first
 * one of the user, whether a client writes them as a string or as a list of parts. Undefined for a body without turns.
 */
export const promptPrefix = (body: JsonObject): string | undefined => {
  const turns = findTurns(body);
  if (turns === undefined) return undefined;
  let texts = '';
  for (const member of leadingMembers) texts = withTexts(texts, body[member]);
  return withBeginning(texts, turns);
};

/** Returns the same of a request. Undefined for a body that cannot be read. */
export const requestPrefix = (exchange: Exchange): string | undefined => {
  const body = readableBody(exchange);
  return body === undefined ? undefined : promptPrefix(body);
};
