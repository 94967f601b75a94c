import { isDeepStrictEqual } from 'node:util';
import type { CacheHint, Conversation, Tool, ToolChoice } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { toolSchema } from '../../shared/claude/claude-schema.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { extended, findExtensions, type KnownMembers } from '../../shared/parts/own-value.ts';
import { customParameters } from '../../shared/request/custom-tool.ts';
import type { Lost } from '../../shared/request/lost.ts';
import { allowedNames } from '../../shared/request/tool-names.ts';
import { decodeCachePoint, encodeCachePoint } from './cache-points.ts';

const specified: KnownMembers = {
  names: new Set(['toolSpec']),
  within: { toolSpec: new Set(['name', 'description', 'inputSchema', 'strict']) },
};

const decodeTool = (wire: Member): Tool => {
  const spec = wire.at('toolSpec');
  if (spec.absent) return { kind: 'other', dialect: 'converse', value: wire.object() };
  return defined({
    kind: 'function' as const,
    name: spec.at('name').text(),
    description: spec.at('description').maybeText(),
    parameters: spec.at('inputSchema').at('json').maybeObject(),
    strict: spec.at('strict').maybeBoolean(),
    extensions: findExtensions(wire, specified),
  });
};

/** Decodes the tools, with each cache point as the hint of the tool before it. */
export const decodeTools = (list: Member): readonly Tool[] => {
  const tools: Tool[] = [];
  for (const wire of list.maybeItems()) {
    const cache: CacheHint | undefined = decodeCachePoint(wire);
    const last = tools.at(-1);
    if (cache === undefined) tools.push(decodeTool(wire));
    else if (last?.kind === 'function') tools[tools.length - 1] = { ...last, cache };
  }
  return tools;
};

export const decodeToolChoice = (choice: Member): ToolChoice | undefined => {
  if (choice.absent) return undefined;
  if (!choice.at('auto').absent) return { mode: 'auto' };
  if (!choice.at('any').absent) return { mode: 'required' };
  const tool = choice.at('tool');
  return tool.absent
    ? choice.fail('must have "auto", "any" or "tool"')
    : { mode: 'tool', name: tool.at('name').text() };
};

interface ToolContext {
  readonly lost: Lost;
  /** Whether the model accepts cache points after tools. */
  readonly caches: boolean;
}

const noParameters: JsonObject = { type: 'object', properties: {} };

const toolSpec = (
  { name, description, strict }: { readonly name: string; readonly description?: string; readonly strict?: boolean },
  json: JsonObject,
): JsonObject => ({
  toolSpec: defined({ name, description: description === '' ? undefined : description, inputSchema: { json }, strict }),
});

/** Encodes a custom tool as a function whose only parameter is its input. A schema is required, and must describe an object. */
const encodeTool = (tool: Tool, path: string, { lost, caches }: ToolContext): readonly JsonObject[] => {
  if (tool.kind === 'other' && tool.dialect === 'converse') return [tool.value];
  if (tool.kind !== 'function') lost.push(path);
  if (tool.kind === 'other') return [];
  if (tool.kind === 'custom') return [toolSpec(tool, customParameters)];
  const { parameters, cache } = tool;
  const schema = toolSchema(parameters, tool.strict === true);
  if (!isDeepStrictEqual(schema, parameters)) lost.push(`${path}.parameters`);
  const wire = extended(toolSpec(tool, schema), tool, 'converse');
  if (cache === undefined || caches)
    return [wire, ...(cache === undefined ? [] : [encodeCachePoint(cache, path, lost)])];
  lost.push(`${path}.cache`);
  return [wire];
};

/** Returns the names of the tools that were called before. */
const calledNames = ({ turns }: Conversation): readonly string[] => {
  const parts = turns.flatMap((turn) => turn.parts);
  const names = parts.flatMap((part) => (part.kind === 'tool-call' ? [part.name] : []));
  return names.length > 0 || !parts.some(({ kind }) => kind === 'tool-result') ? [...new Set(names)] : ['tool'];
};

const calledTool = (name: string): JsonObject => toolSpec({ name }, noParameters);

const encodeChoice = ({ mode, name, parallel, allowed }: ToolChoice, lost: Lost): JsonObject | undefined => {
  if (parallel !== undefined) lost.push('toolChoice.parallel');
  if (allowed !== undefined) lost.push('toolChoice.allowed');
  switch (mode) {
    case 'auto':
      return { auto: {} };
    case 'required':
      return { any: {} };
    case 'tool':
      return { tool: { name: name ?? '' } };
    case 'none':
      lost.push('toolChoice');
      return undefined;
  }
};

/**
 * Returns `toolConfig`. The format cannot express which tools may be called, or that none may, so the others are omitted. The API
 * requires tools as soon as one was called before, however.
 */
export const encodeToolConfig = (conversation: Conversation, context: ToolContext): JsonObject | undefined => {
  const { lost } = context;
  const { tools, toolChoice } = conversation;
  const called = calledNames(conversation);
  const isBarred = toolChoice?.mode === 'none' && called.length === 0;
  const allowed = allowedNames(toolChoice);
  const wire = isBarred
    ? []
    : tools.flatMap((tool, index) => {
        const path = `tools[${index}]`;
        if (tool.kind === 'other' || allowed === undefined || allowed.has(tool.name))
          return encodeTool(tool, path, context);
        lost.push(path);
        return [];
      });
  if (isBarred && tools.length > 0) lost.push('tools');
  if (wire.length > 0)
    return defined({ tools: wire, toolChoice: toolChoice === undefined ? undefined : encodeChoice(toolChoice, lost) });
  if (toolChoice !== undefined) lost.push('toolChoice');
  if (called.length === 0) return undefined;
  lost.push('tools');
  return { tools: called.map(calledTool) };
};
