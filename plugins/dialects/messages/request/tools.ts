import { isDeepStrictEqual } from 'node:util';
import type { Tool, ToolChoice } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { toolSchema } from '../../shared/claude/claude-schema.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { decodeCache, encodeCache } from '../../shared/parts/cache-hint.ts';
import { extended, findExtensions, type KnownMembers } from '../../shared/parts/own-value.ts';
import { customMember, customParameters } from '../../shared/request/custom-tool.ts';
import { type Lost, recordLoss } from '../../shared/request/lost.ts';

/** Whether a function stands for a custom tool. */
const isCustom = (schema: JsonObject | undefined): boolean =>
  findObject(schema?.properties)?.[customMember] !== undefined;

const namedMembers = ['type', 'name', 'description', 'input_schema'];
const customTool: KnownMembers = { names: new Set(namedMembers) };
const functionTool: KnownMembers = {
  names: new Set([...namedMembers, 'strict', 'cache_control', 'prompt_cache_breakpoint']),
};

/** Decodes a client's own tool. A tool that the provider runs is kept unchanged. */
export const decodeTool = (wire: Member): Tool => {
  const type = wire.at('type').maybeText();
  if (type !== undefined && type !== 'custom') return { kind: 'other', dialect: 'messages', value: wire.object() };
  const parameters = wire.at('input_schema').maybeObject();
  const named = { name: wire.at('name').text(), description: wire.at('description').maybeText() };
  if (isCustom(parameters))
    return defined({ kind: 'custom' as const, ...named, extensions: findExtensions(wire, customTool) });
  return defined({
    kind: 'function' as const,
    ...named,
    parameters,
    strict: wire.at('strict').maybeBoolean(),
    cache: decodeCache(wire),
    extensions: findExtensions(wire, functionTool),
  });
};

/** The types of tools that the provider runs end with their version, such as `web_search_20250305`. */
const ownType = /_\d{8}$/;

/**
 * Decodes a tool that the provider runs, as clients of chats write it: as it is, or below the name of its kind,
 * `{type: 'web_search', web_search: {name: 'web_search_20250305', max_uses: 3}}`. Returns undefined for any other tool of a chat.
 */
const toOwnTool = (value: JsonObject): JsonObject | undefined => {
  const kind = findText(value.type) ?? '';
  if (ownType.test(kind)) return findText(value.name) === undefined ? undefined : value;
  const nested = findObject(lookUp(value, kind));
  const type = findText(nested?.name) ?? '';
  if (nested === undefined || !ownType.test(type)) return undefined;
  return defined({
    ...nested,
    type,
    name: kind,
    cache_control: value.cache_control ?? nested.cache_control,
  }) as JsonObject;
};

const findOwnTool = ({ dialect, value }: Extract<Tool, { kind: 'other' }>): JsonObject | undefined => {
  if (dialect === 'messages') return value;
  return dialect === 'chat' ? toOwnTool(value) : undefined;
};

/** Returns the name with which a choice refers to a tool. */
export const toName = (tool: Tool): string =>
  tool.kind === 'other' ? (findText(findOwnTool(tool)?.name) ?? '') : tool.name;

/** Returns undefined for a tool of another dialect. A schema is required, and must describe an object. */
export const encodeTool = (tool: Tool, path: string, lost: Lost): JsonObject | undefined => {
  if (tool.kind === 'other') return findOwnTool(tool) ?? recordLoss(path, lost);
  if (tool.kind === 'custom') {
    if (tool.format !== undefined) lost.push(`${path}.format`);
    const custom = defined({ name: tool.name, description: tool.description, input_schema: customParameters });
    return extended(custom, tool, 'messages');
  }
  const { name, description, parameters, strict, cache } = tool;
  const schema = toolSchema(parameters, strict === true);
  if (!isDeepStrictEqual(schema, parameters)) lost.push(`${path}.parameters`);
  const wire = defined({
    name,
    description,
    input_schema: schema,
    strict,
    cache_control: encodeCache(cache, path, lost),
  });
  return extended(wire, tool, 'messages');
};

const decodeMode = (choice: Member): Pick<ToolChoice, 'mode' | 'name'> => {
  switch (choice.at('type').text()) {
    case 'auto':
      return { mode: 'auto' };
    case 'any':
      return { mode: 'required' };
    case 'none':
      return { mode: 'none' };
    case 'tool':
      return { mode: 'tool', name: choice.at('name').text() };
    default:
      return choice.at('type').fail('must be "auto", "any", "tool" or "none"');
  }
};

export const decodeToolChoice = (choice: Member): ToolChoice | undefined => {
  if (choice.absent) return undefined;
  const single = choice.at('disable_parallel_tool_use').maybeBoolean();
  return defined({ ...decodeMode(choice), parallel: single === undefined ? undefined : !single });
};

export const encodeToolChoice = ({ mode, name, parallel }: ToolChoice, lost: Lost): Json => {
  if (mode === 'none') {
    if (parallel !== undefined) lost.push('toolChoice.parallel');
    return { type: 'none' };
  }
  const type = mode === 'required' ? 'any' : mode;
  return defined({
    type,
    name: mode === 'tool' ? (name ?? '') : undefined,
    disable_parallel_tool_use: parallel === undefined ? undefined : !parallel,
  });
};
