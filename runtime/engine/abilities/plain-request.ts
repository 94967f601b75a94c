import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** Members of requests that change nothing of what a request needs, in whichever dialect. */
const neutral = [
  ...['model', 'temperature', 'top_p', 'top_k', 'stop', 'seed', 'user', 'metadata', 'system', 'store'],
  ...['presence_penalty', 'frequency_penalty', 'stream_options'],
];

const neutralMembers: ReadonlySet<string> = new Set(neutral);

/** Beside them, what says whether an answer is a stream and how long it may be. */
const plainMembers: ReadonlySet<string> = new Set([...neutral, 'stream', 'max_tokens', 'max_completion_tokens']);

/** Whether overrides change nothing of what a request needs but the model that is asked. */
export const isNeutral = (edits: JsonObject): boolean => Object.keys(edits).every((name) => neutralMembers.has(name));

const isText = (turn: Json): boolean => {
  if (!isJsonObject(turn) || typeof turn.content !== 'string') return false;
  for (const name in turn) if (name !== 'role' && name !== 'content') return false;
  return true;
};

const isPlainMember = (name: string, value: Json | undefined): boolean => {
  if (name === 'messages') return Array.isArray(value) && value.every(isText);
  return plainMembers.has(name) && (name !== 'system' || typeof value === 'string');
};

/**
 * Whether a body has nothing but turns of text, and asks for nothing but an answer to them: most requests do, and need not be
 * read further. A law compares what such a body needs with what its codec reads.
 */
export const isPlainRequest = (body: JsonObject): boolean => {
  if (body.messages === undefined) return false;
  for (const name in body) if (!isPlainMember(name, body[name])) return false;
  return true;
};
