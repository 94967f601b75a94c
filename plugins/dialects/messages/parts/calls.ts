import type { ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { extended, type KnownMembers } from '../../shared/parts/own-value.ts';

/** The members of a call that a conversation expresses. */
export const callMembers: KnownMembers = {
  names: new Set(['type', 'id', 'name', 'input', 'cache_control', 'prompt_cache_breakpoint']),
};

/** Writes a call of a client's tool with this input. */
export const callBlock = (call: Pick<ToolCallPart, 'id' | 'name' | 'extensions'>, input: JsonObject): JsonObject =>
  extended({ type: 'tool_use', id: call.id, name: call.name, input }, call, 'messages');
