import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { carriedParts } from '../../../schema/model-facts/carried-parts.ts';
import type { ConversationNeeds } from './conversation-needs.ts';

/** Members that do not change what a request needs, in any dialect. */
const neutral = [
  ...['model', 'temperature', 'top_p', 'top_k', 'stop', 'seed', 'user', 'metadata', 'system', 'store'],
  ...['presence_penalty', 'frequency_penalty', 'stream_options'],
];

const neutralMembers: ReadonlySet<string> = new Set(neutral);

/** The same, and the members that determine whether an answer is a stream and how long it may be. */
export const plainMembers: ReadonlySet<string> = new Set([...neutral, 'stream', 'max_tokens', 'max_completion_tokens']);

/** Whether overrides do not change what a request needs, except for the model. */
export const isNeutral = (edits: JsonObject): boolean => Object.keys(edits).every((name) => neutralMembers.has(name));

/** The members of the turns of any conversation, and those that OpenAI's format has for tool calls and their results. */
export const textMembers: ReadonlySet<string> = new Set(['role', 'content']);
export const callMembers: ReadonlySet<string> = new Set([...textMembers, 'tool_calls', 'tool_call_id']);

const isText = (turn: Json): boolean => {
  if (!isJsonObject(turn) || typeof turn.content !== 'string') return false;
  for (const name in turn) if (!textMembers.has(name)) return false;
  return true;
};

/** A turn that calls tools may have no text. */
const isTextOrCall = (turn: Json): boolean => {
  if (!isJsonObject(turn) || (typeof turn.content !== 'string' && turn.content !== null)) return false;
  for (const name in turn) if (!callMembers.has(name)) return false;
  return true;
};

const isFunction = (tool: Json): boolean => isJsonObject(tool) && tool.type === 'function';

const isPlainMember = (name: string, value: Json | undefined): boolean => {
  if (name === 'messages') return Array.isArray(value) && value.every(isText);
  return plainMembers.has(name) && (name !== 'system' || typeof value === 'string');
};

/**
 * Whether a body has only turns of text, and requests only an answer to them. This is true of most requests, which then need not
 * be read further. A law compares what such a body needs with what its codec reads.
 */
export const isPlainRequest = (body: JsonObject): boolean => {
  if (body.messages === undefined) return false;
  for (const name in body) if (!isPlainMember(name, body[name])) return false;
  return true;
};

const isPlainChatMember = (name: string, value: Json | undefined): boolean => {
  switch (name) {
    case 'messages':
      return Array.isArray(value) && value.every(isTextOrCall);
    case 'tools':
      return Array.isArray(value) && value.length > 0 && value.every(isFunction);
    case 'tool_choice':
    case 'parallel_tool_calls':
      return true;
    default:
      return isPlainMember(name, value);
  }
};

/**
 * Does the same for a body in OpenAI's format that has functions beside its turns. Some of the turns may be calls and their
 * results.
 */
export const hasPlainFunctions = (body: JsonObject): boolean => {
  if (body.tools === undefined || body.messages === undefined) return false;
  for (const name in body) if (!isPlainChatMember(name, body[name])) return false;
  return true;
};

const ofFunctions: ConversationNeeds = { capabilities: ['tools'], carried: [carriedParts.tools] };
const ofSingleFunctions: ConversationNeeds = {
  ...ofFunctions,
  carried: [carriedParts.tools, carriedParts.singleCalls],
};

/** Returns the needs of such functions. */
export const functionNeeds = ({ parallel_tool_calls: parallel }: JsonObject): ConversationNeeds =>
  parallel === false ? ofSingleFunctions : ofFunctions;
