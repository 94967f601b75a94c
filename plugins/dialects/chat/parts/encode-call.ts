import type { ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

/** Writes a call as a message's deprecated `function_call`, which has no id. */
export const encodeLegacyCall = ({ name, arguments: text }: Pick<ToolCallPart, 'name' | 'arguments'>): JsonObject => ({
  name,
  arguments: text,
});

/** Writes a call of a function or of a custom tool. */
export const encodeCall = ({ id, name, arguments: text, input }: ToolCallPart): JsonObject =>
  input === 'text'
    ? { id, type: 'custom', custom: { name, input: text } }
    : { id, type: 'function', function: { name, arguments: text } };
