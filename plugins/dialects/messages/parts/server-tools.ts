import type { ServerToolCallPart, ServerToolResultPart } from '../../../../schema/conversation/conversation.ts';
import { exactText } from '../../../../schema/json/exact-numbers.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';

/** Members with readable content, in the order in which they are read. */
const readable = ['title', 'url', 'text', 'data', 'stdout', 'stderr', 'error_code', 'source', 'content'] as const;

const read = (value: Json | undefined): readonly string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(read);
  if (!isJsonObject(value)) return [];
  // Only the data of a text is readable.
  const isBinary = value.type === 'base64';
  return readable.flatMap((member) => (isBinary && member === 'data' ? [] : read(value[member])));
};

/** Whether a block is a call: `server_tool_use`, `mcp_tool_use`. */
const isCall = (type: string): boolean => type.endsWith('_tool_use');

/** Whether a block is a result: `web_search_tool_result`, `code_execution_tool_result`, `mcp_tool_result`, … */
const isResult = (type: string): boolean => type.endsWith('_tool_result');

/** Decodes a call or a result of a tool that the provider runs. Returns undefined for any other block. */
export const decodeServerTool = (block: JsonObject): ServerToolCallPart | ServerToolResultPart | undefined => {
  const type = findText(block.type) ?? '';
  if (isCall(type))
    return {
      kind: 'server-tool-call',
      id: findText(block.id) ?? '',
      name: findText(block.name) ?? '',
      arguments: exactText(block.input ?? {}),
      dialect: 'messages',
      value: block,
    };
  if (!isResult(type)) return undefined;
  return {
    kind: 'server-tool-result',
    id: findText(block.tool_use_id) ?? '',
    text: read(block.content).join('\n'),
    dialect: 'messages',
    value: block,
  };
};
