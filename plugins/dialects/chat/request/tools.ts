import type { Tool, ToolChoice } from '../../../../schema/conversation/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { decodeCache } from '../../shared/parts/cache-hint.ts';
import { extended, findExtensions, type KnownMembers } from '../../shared/parts/own-value.ts';
import { customParameters } from '../../shared/request/custom-tool.ts';
import type { ChosenTools } from '../../shared/request/openai-tool-choice.ts';

/** Decodes the format of a custom tool, which is `{type: 'grammar', grammar: {…}}` here, and flat in a conversation. */
const decodeToolFormat = (format: JsonObject | undefined): JsonObject | undefined => {
  const grammar = findObject(format?.grammar);
  return grammar === undefined ? format : { type: 'grammar', ...grammar };
};

const encodeToolFormat = (format: JsonObject | undefined): JsonObject | undefined => {
  if (format?.type !== 'grammar') return format;
  const { type, ...grammar } = format;
  return { type, grammar };
};

const functionTool: KnownMembers = {
  names: new Set(['type', 'function', 'cache_control', 'prompt_cache_breakpoint']),
  within: { function: new Set(['name', 'description', 'parameters', 'strict']) },
};
const customTool: KnownMembers = {
  names: new Set(['type', 'custom']),
  within: { custom: new Set(['name', 'description', 'format']) },
};

/** Decodes a function with its schema, or a custom tool. A tool of any other type is kept unchanged. */
export const decodeTool = (wire: Member): Tool => {
  switch (wire.at('type').text()) {
    case 'function': {
      const definition = wire.at('function');
      return defined({
        kind: 'function' as const,
        name: definition.at('name').text(),
        description: definition.at('description').maybeText(),
        parameters: definition.at('parameters').maybeObject(),
        strict: definition.at('strict').maybeBoolean(),
        cache: decodeCache(wire),
        extensions: findExtensions(wire, functionTool),
      });
    }
    case 'custom': {
      const definition = wire.at('custom');
      return defined({
        kind: 'custom' as const,
        name: definition.at('name').text(),
        description: definition.at('description').maybeText(),
        format: decodeToolFormat(definition.at('format').maybeObject()),
        extensions: findExtensions(wire, customTool),
      });
    }
    default:
      return { kind: 'other', dialect: 'chat', value: wire.object() };
  }
};

export type CustomTool = Extract<Tool, { kind: 'custom' }>;

/** Encodes a custom tool as a function with one text, for a provider that accepts only functions. */
const encodeAsFunction = ({ name, description }: CustomTool): JsonObject => ({
  type: 'function',
  function: defined({ name, description, parameters: customParameters }),
});

/** Returns undefined for a tool of another dialect. */
export const encodeTool = (tool: Tool, functionsOnly: boolean): JsonObject | undefined => {
  if (functionsOnly && tool.kind === 'custom') return encodeAsFunction(tool);
  switch (tool.kind) {
    case 'function': {
      const { name, description, parameters, strict } = tool;
      return extended(
        { type: 'function', function: defined({ name, description, parameters, strict }) as JsonObject },
        tool,
        'chat',
      );
    }
    case 'custom': {
      const { name, description, format } = tool;
      const custom = defined({ name, description, format: encodeToolFormat(format) }) as JsonObject;
      return extended({ type: 'custom', custom }, tool, 'chat');
    }
    case 'other':
      return tool.dialect === 'chat' ? tool.value : undefined;
  }
};

/** Returns the name of the function or custom tool that a choice refers to. */
const nameIn = (reference: Member): string =>
  reference
    .at(reference.at('type').value === 'custom' ? 'custom' : 'function')
    .at('name')
    .text();

const isNamed = (reference: Json): boolean =>
  isJsonObject(reference) && (reference.type === 'function' || reference.type === 'custom');

/**
 * Decodes a choice that is more than a mode. One with tools that a conversation cannot express leaves the choice to the model:
 * a requirement would force a call of another tool.
 */
export const decodeChosenTools = (choice: Member): ChosenTools => {
  if (isSpecialChoice(choice.value)) return { mode: 'auto' };
  if (choice.at('type').value !== 'allowed_tools') return { mode: 'tool', name: nameIn(choice) };
  const allowed = choice.at('allowed_tools');
  return {
    mode: allowed.at('mode').value === 'required' ? 'required' : 'auto',
    allowed: allowed.at('tools').items().map(nameIn),
  };
};

/** Whether `tool_choice` contains more than a conversation can express. If so, it is carried unchanged. */
export const isSpecialChoice = (choice: Json | undefined): boolean => {
  if (!isJsonObject(choice) || isNamed(choice)) return false;
  const tools = choice.type === 'allowed_tools' ? findObject(choice.allowed_tools)?.tools : undefined;
  return !Array.isArray(tools) || !tools.every(isNamed);
};

/** Returns a reference to a tool, which includes the tool's kind. */
const refer = (name: string, custom: ReadonlySet<string>): JsonObject =>
  custom.has(name) ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } };

/** Encodes a tool choice. `custom` contains the names of the tools that are sent as custom tools. */
export const encodeToolChoice = ({ mode, name, allowed }: ToolChoice, custom: ReadonlySet<string>): Json => {
  if (mode === 'tool') return refer(name ?? '', custom);
  if (allowed === undefined || mode === 'none') return mode;
  return { type: 'allowed_tools', allowed_tools: { mode, tools: allowed.map((each) => refer(each, custom)) } };
};
