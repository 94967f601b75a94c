import type { ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { extended, type KnownMembers } from '../../shared/parts/own-value.ts';

/** An item's id and status mean nothing without stored state, and OpenAI's library adds the arguments that it parsed. */
const itemNames = ['type', 'id', 'status', 'call_id', 'name', 'parsed_arguments'];

/** The members of a call that a conversation expresses, by the one that has its arguments or its input. */
export const callMembers: Readonly<Record<'arguments' | 'input', KnownMembers>> = {
  arguments: { names: new Set([...itemNames, 'arguments']) },
  input: { names: new Set([...itemNames, 'input']) },
};

/** Writes the item of a call. Those of answers also have an id and a status. */
export const callItem = (call: Omit<ToolCallPart, 'kind'>, inAnswer: JsonObject = {}): JsonObject => {
  const { id, name, arguments: text, input } = call;
  const wire: JsonObject =
    input === 'text'
      ? { type: 'custom_tool_call', ...inAnswer, call_id: id, name, input: text }
      : { type: 'function_call', ...inAnswer, call_id: id, name, arguments: text };
  return extended(wire, call, 'responses');
};
