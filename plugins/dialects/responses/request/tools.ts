import type { Conversation, Tool, ToolChoice } from '../../../../schema/conversation/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { extended, findExtensions, type KnownMembers } from '../../shared/parts/own-value.ts';
import type { Lost } from '../../shared/request/lost.ts';
import type { ChosenTools } from '../../shared/request/openai-tool-choice.ts';
import { customNames } from '../../shared/request/tool-names.ts';

const functionTool: KnownMembers = { names: new Set(['type', 'name', 'description', 'parameters', 'strict']) };
const customTool: KnownMembers = { names: new Set(['type', 'name', 'description', 'format']) };

/** Decodes a function or a custom tool. A tool that the provider runs is kept unchanged. */
export const decodeTool = (wire: Member): Tool => {
  switch (wire.at('type').text()) {
    case 'function':
      return defined({
        kind: 'function' as const,
        name: wire.at('name').text(),
        description: wire.at('description').maybeText(),
        parameters: wire.at('parameters').maybeObject(),
        strict: wire.at('strict').maybeBoolean(),
        extensions: findExtensions(wire, functionTool),
      });
    case 'custom':
      return defined({
        kind: 'custom' as const,
        name: wire.at('name').text(),
        description: wire.at('description').maybeText(),
        format: wire.at('format').maybeObject(),
        extensions: findExtensions(wire, customTool),
      });
    default:
      return { kind: 'other', dialect: 'responses', value: wire.object() };
  }
};

/** Returns undefined for a tool of another dialect. In this format functions are strict unless they state otherwise. */
export const encodeTool = (tool: Tool, path: string, lost: Lost): JsonObject | undefined => {
  switch (tool.kind) {
    case 'function': {
      const { name, description, parameters, strict } = tool;
      if (tool.cache !== undefined) lost.push(`${path}.cache`);
      if (strict === undefined) lost.push(`${path}.strict`);
      const wire = { type: 'function', name, description, parameters: parameters ?? null, strict: strict ?? false };
      return extended(defined(wire), tool, 'responses');
    }
    case 'custom': {
      const { name, description, format } = tool;
      return extended(defined({ type: 'custom', name, description, format }), tool, 'responses');
    }
    case 'other':
      if (tool.dialect === 'responses') return tool.value;
      lost.push(path);
      return undefined;
  }
};

const isNamed = ({ type, name }: JsonObject): boolean =>
  (type === 'function' || type === 'custom') && typeof name === 'string';

/** Whether `tool_choice` includes more than the client's own tools. If so, it is carried unchanged. */
export const isSpecialChoice = (choice: Json | undefined): boolean =>
  isJsonObject(choice) &&
  !isNamed(choice) &&
  !(choice.type === 'allowed_tools' && toObjects(choice.tools).length > 0 && toObjects(choice.tools).every(isNamed));

/**
 * Decodes a choice that is more than a mode. One with tools that a conversation cannot express leaves the choice to the model:
 * a requirement would force a call of another tool.
 */
export const decodeChosenTools = (choice: Member): ChosenTools => {
  switch (choice.at('type').text()) {
    case 'function':
    case 'custom':
      return { mode: 'tool', name: choice.at('name').text() };
    case 'allowed_tools': {
      const allowed = choice
        .at('tools')
        .items()
        .flatMap((tool) => findText(tool.object().name) ?? []);
      const isRequired = choice.at('mode').value === 'required' && !isSpecialChoice(choice.value);
      const mode = isRequired ? 'required' : 'auto';
      return allowed.length > 0 ? { mode, allowed } : { mode };
    }
    default:
      return { mode: 'auto' };
  }
};

const reference = (name: string, custom: ReadonlySet<string>): JsonObject => ({
  type: custom.has(name) ? 'custom' : 'function',
  name,
});

export const encodeToolChoice = (
  { mode, name = '', allowed }: ToolChoice,
  tools: Conversation['tools'],
  lost: Lost,
): Json => {
  if (mode === 'tool' || mode === 'none') {
    if (allowed !== undefined) lost.push('toolChoice');
    return mode === 'tool' ? reference(name, customNames(tools)) : mode;
  }
  if (allowed === undefined) return mode;
  const custom = customNames(tools);
  return { type: 'allowed_tools', mode, tools: allowed.map((each) => reference(each, custom)) };
};
