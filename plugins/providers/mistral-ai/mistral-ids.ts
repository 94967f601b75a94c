import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** Matches the ids of tool calls that Mistral accepts. It answers 400 with the code 3280 to all others. */
const accepted = /^[a-zA-Z0-9]{9}$/;

const readCalls = (message: Json): readonly Json[] =>
  isJsonObject(message) && Array.isArray(message.tool_calls) ? message.tool_calls : [];

const readIds = (message: Json): readonly string[] => {
  const ids = readCalls(message).map((call) => (isJsonObject(call) ? call.id : undefined));
  return [...ids, isJsonObject(message) ? message.tool_call_id : undefined].filter((id) => typeof id === 'string');
};

/** Returns nine hexadecimal digits that stand for an id. */
const shortened = (id: string, attempt: number): string =>
  createHash('sha256').update(`${attempt} ${id}`).digest('hex').slice(0, 9);

/** Returns a map of rejected id → id to send instead, which no other call of the request has. */
const replacements = (messages: readonly Json[]): ReadonlyMap<string, string> => {
  const ids = new Set(messages.flatMap(readIds));
  const taken = new Set([...ids].filter((id) => accepted.test(id)));
  const sent = new Map<string, string>();
  for (const id of ids) {
    if (accepted.test(id)) continue;
    let attempt = 0;
    while (taken.has(shortened(id, attempt))) attempt += 1;
    sent.set(id, shortened(id, attempt));
    taken.add(shortened(id, attempt));
  }
  return sent;
};

/**
 * Returns the messages with ids of tool calls that Mistral accepts, the same for a call and its result. The same ids always
 * produce the same messages, so that the next turn has the prefix of the one before.
 */
export const withAcceptedIds = (messages: readonly Json[]): readonly Json[] => {
  const sent = replacements(messages);
  if (sent.size === 0) return messages;
  const renamed = (object: JsonObject, member: 'id' | 'tool_call_id'): JsonObject => {
    const id = object[member];
    const replacement = typeof id === 'string' ? sent.get(id) : undefined;
    return replacement === undefined ? object : { ...object, [member]: replacement };
  };
  return messages.map((message) => {
    if (!isJsonObject(message)) return message;
    const result = renamed(message, 'tool_call_id');
    if (!Array.isArray(message.tool_calls)) return result;
    return {
      ...result,
      tool_calls: readCalls(message).map((call) => (isJsonObject(call) ? renamed(call, 'id') : call)),
    };
  });
};
