import type { ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import { exactText } from '../../../../schema/json/exact-numbers.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { extended, type KnownMembers } from '../../shared/parts/own-value.ts';

/** Returns the arguments of a call as text. Some providers send the object itself. */
export const callText = (wire: Json | undefined): string => {
  const object = findObject(wire);
  return object === undefined ? (findText(wire) ?? '') : exactText(object);
};

/** A function or a custom tool, as a call or a piece of a call in a stream names it. */
export interface CallDefinition {
  readonly name: string;
  readonly arguments: string;
  readonly isCustom: boolean;
}

export const decodeDefinition = (piece: JsonObject): CallDefinition => {
  const custom = findObject(piece.custom);
  const definition = custom ?? findObject(piece.function) ?? {};
  return {
    name: findText(definition.name) ?? '',
    arguments: callText(custom === undefined ? definition.arguments : definition.input),
    isCustom: custom !== undefined,
  };
};

const signed = { extra_content: new Set(['google', 'vertex']) };

/** The index is that of the stream in which the call came, and OpenAI's library adds the arguments that it parsed. */
const callNames = ['id', 'type', 'index', 'extra_content', 'cache_control', 'prompt_cache_breakpoint'];

/** The members of a call that a conversation expresses, by the one that has its name. */
export const callMembers: Readonly<Record<'function' | 'custom', KnownMembers>> = {
  function: {
    names: new Set([...callNames, 'function']),
    within: { function: new Set(['name', 'arguments', 'parsed_arguments']), ...signed },
  },
  custom: {
    names: new Set([...callNames, 'custom']),
    within: { custom: new Set(['name', 'input']), ...signed },
  },
};

type WrittenCall = Omit<ToolCallPart, 'kind'>;

/** Writes a call of a function or of a custom tool. */
export const encodeCall = (part: WrittenCall): JsonObject => {
  const { id, name, arguments: text, input } = part;
  const wire: JsonObject =
    input === 'text'
      ? { id, type: 'custom', custom: { name, input: text } }
      : { id, type: 'function', function: { name, arguments: text } };
  return extended(wire, part, 'chat');
};

/** Writes a call as a message's deprecated `function_call`, which has no id, and no members beside those of the function. */
export const encodeLegacyCall = ({ input: _unused, ...part }: WrittenCall): JsonObject =>
  findObject(encodeCall(part).function) ?? {};
