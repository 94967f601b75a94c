import type { Tool, ToolChoice } from '../../../schema/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import { decodeCache } from '../wire/cache-hint.ts';
import { defined } from '../wire/defined.ts';
import type { Member } from '../wire/member.ts';

/** A function with its schema; a tool of any other type is kept unchanged. */
export const decodeTool = (wire: Member): Tool => {
  if (wire.at('type').text() !== 'function') return { kind: 'other', dialect: 'chat', value: wire.object() };
  const definition = wire.at('function');
  return defined({
    kind: 'function' as const,
    name: definition.at('name').text(),
    description: definition.at('description').maybeText(),
    parameters: definition.at('parameters').maybeObject(),
    strict: definition.at('strict').maybeBoolean(),
    cache: decodeCache(wire),
  });
};

/** Undefined for a tool of another dialect. */
export const encodeTool = (tool: Tool): JsonObject | undefined => {
  if (tool.kind !== 'function') return tool.kind === 'other' && tool.dialect === 'chat' ? tool.value : undefined;
  const { name, description, parameters, strict } = tool;
  return { type: 'function', function: defined({ name, description, parameters, strict }) };
};

const decodeMode = (choice: Member): Pick<ToolChoice, 'mode' | 'name'> => {
  if (typeof choice.value === 'string') {
    if (choice.value === 'auto' || choice.value === 'none' || choice.value === 'required')
      return { mode: choice.value };
    return choice.fail('must be "auto", "none", "required" or an object');
  }
  switch (choice.at('type').text()) {
    case 'function':
      return { mode: 'tool', name: choice.at('function').at('name').text() };
    case 'allowed_tools':
      return { mode: choice.at('allowed_tools').at('mode').value === 'required' ? 'required' : 'auto' };
    default:
      return { mode: 'required' };
  }
};

/** `tool_choice` with `parallel_tool_calls`, which is a member of its own here; undefined where both are absent. */
export const decodeToolChoice = (choice: Member, parallel: boolean | undefined): ToolChoice | undefined => {
  if (choice.absent && parallel === undefined) return undefined;
  return defined({ ...(choice.absent ? { mode: 'auto' as const } : decodeMode(choice)), parallel });
};

/** Whether `tool_choice` has more than a mode and a function's name: it is then carried unchanged. */
export const isSpecialChoice = (choice: Json | undefined): boolean =>
  isJsonObject(choice) && choice.type !== 'function';

export const encodeToolChoice = ({ mode, name }: ToolChoice): Json =>
  mode === 'tool' ? { type: 'function', function: { name: name ?? '' } } : mode;
