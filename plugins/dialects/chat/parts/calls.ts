import type { ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import { exactText } from '../../../../schema/json/exact-numbers.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { extended } from '../../shared/parts/own-value.ts';

/** Returns the arguments of a call as text. Some providers send the object itself. */
export const callText = (wire: Json | undefined): string => {
  const object = findObject(wire);
  return object === undefined ? (findText(wire) ?? '') : exactText(object);
};

/** Writes a call as a message's deprecated `function_call`, which has no id. */
export const encodeLegacyCall = ({ name, arguments: text }: Pick<ToolCallPart, 'name' | 'arguments'>): JsonObject => ({
  name,
  arguments: text,
});

/** Writes a call of a function or of a custom tool. */
export const encodeCall = (part: ToolCallPart): JsonObject => {
  const { id, name, arguments: text, input } = part;
  const wire: JsonObject =
    input === 'text'
      ? { id, type: 'custom', custom: { name, input: text } }
      : { id, type: 'function', function: { name, arguments: text } };
  return extended(wire, part, 'chat');
};
