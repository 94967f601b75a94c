import type { Conversation, Tool, ToolChoice } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { extended, findExtensions, type KnownMembers } from '../../shared/parts/own-value.ts';
import { customParameters } from '../../shared/request/custom-tool.ts';
import { type Lost, recordLosses } from '../../shared/request/lost.ts';

const functionTool: KnownMembers = {
  names: new Set(['type', 'function']),
  within: { function: new Set(['name', 'description', 'parameters']) },
};

/** Decodes a function. In this format `strict` is one setting for all tools of a request. */
export const decodeTool = (wire: Member, strict: boolean | undefined): Tool => {
  const definition = wire.at('function');
  return defined({
    kind: 'function' as const,
    name: definition.at('name').text(),
    description: definition.at('description').maybeText(),
    parameters: definition.at('parameters').maybeObject(),
    strict,
    extensions: findExtensions(wire, functionTool),
  });
};

export const decodeToolChoice = (choice: Member): ToolChoice | undefined => {
  switch (choice.maybeText()) {
    case undefined:
      return undefined;
    case 'REQUIRED':
      return { mode: 'required' };
    case 'NONE':
      return { mode: 'none' };
    default:
      return choice.fail('must be "REQUIRED" or "NONE"');
  }
};

type Named = Extract<Tool, { readonly name: string }>;

/** Returns the names of the tools that may be called, or undefined if any may. */
const callable = (tools: readonly Tool[], choice: ToolChoice | undefined): ReadonlySet<string> | undefined => {
  const names = choice?.mode === 'tool' ? [choice.name ?? ''] : choice?.allowed;
  if (names === undefined || !tools.some((tool) => tool.kind !== 'other' && names.includes(tool.name)))
    return undefined;
  return new Set(names);
};

/** Encodes a custom tool as a function whose only parameter is its input. */
const encodeTool = (tool: Named, path: string, lost: Lost): JsonObject => {
  if (tool.kind === 'custom') {
    lost.push(path);
    const { name, description } = tool;
    return { type: 'function', function: defined({ name, description, parameters: customParameters }) };
  }
  const { name, description, parameters, cache } = tool;
  if (cache !== undefined) lost.push(`${path}.cache`);
  if (parameters === undefined) lost.push(`${path}.parameters`);
  const schema = parameters ?? { type: 'object', properties: {} };
  const wire = { type: 'function', function: defined({ name, description, parameters: schema }) as JsonObject };
  return extended(wire, tool, 'cohere');
};

/** Returns `strict_tools`, if all tools agree. */
const encodeStrict = (sent: readonly [Named, string][], lost: Lost): boolean | undefined => {
  const functions = sent.flatMap(([tool, path]) => (tool.kind === 'function' ? [{ strict: tool.strict, path }] : []));
  const strict = functions[0]?.strict;
  if (functions.every((tool) => tool.strict === strict)) return strict;
  for (const tool of functions) if (tool.strict !== undefined) lost.push(`${tool.path}.strict`);
  return undefined;
};

const encodeChoice = (choice: ToolChoice | undefined, lost: Lost): Json | undefined => {
  if (choice === undefined) return undefined;
  if (choice.mode === 'auto') lost.push('toolChoice');
  else recordLosses(choice, ['name', 'allowed', 'parallel'], { path: 'toolChoice', lost });
  if (choice.mode === 'auto') return undefined;
  return choice.mode === 'none' ? 'NONE' : 'REQUIRED';
};

/** Encodes the tools. A choice cannot name a tool, so only the tools that may be called are sent. */
export const encodeTools = ({ tools, toolChoice }: Conversation, lost: Lost): JsonObject => {
  const names = callable(tools, toolChoice);
  const sent: [Named, string][] = [];
  tools.forEach((tool, index) => {
    const path = `tools[${index}]`;
    if (tool.kind !== 'other' && (names === undefined || names.has(tool.name))) sent.push([tool, path]);
    else lost.push(path);
  });
  if (sent.length === 0) {
    if (toolChoice !== undefined) lost.push('toolChoice');
    return {};
  }
  return defined({
    tools: sent.map(([tool, path]) => encodeTool(tool, path, lost)),
    strict_tools: encodeStrict(sent, lost),
    tool_choice: encodeChoice(toolChoice, lost),
  });
};
