import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../schema/json/loose.ts';

/** A tool that a request offers to the model. */
export interface OfferedTool {
  readonly type: string;
  readonly name: string;
}

const findName = (value: Json | undefined): string | undefined => findText(findObject(value)?.name);

const functionNamed = (value: Json): OfferedTool => ({ type: 'function', name: findName(value) ?? '' });

/** Gemini's tools hold functions, or one member for each tool of the server. */
const ofGemini = (tool: JsonObject): readonly OfferedTool[] =>
  Object.entries(tool).flatMap(([member, value]) =>
    member === 'functionDeclarations' || member === 'function_declarations'
      ? toObjects(value).map(functionNamed)
      : [{ type: member, name: member }],
  );

const ofOthers = (tool: JsonObject): readonly OfferedTool[] => {
  const type = findText(tool.type) ?? 'function';
  return [{ type, name: findName(tool.function) ?? findName(tool.custom) ?? findName(tool) ?? type }];
};

/** Gemini's have neither a type nor a name. */
const hasType = (tool: JsonObject): boolean =>
  typeof tool.type === 'string' || (findName(tool.function) ?? findName(tool.custom) ?? findName(tool)) !== undefined;

const ofConverse = (tool: JsonObject): readonly OfferedTool[] =>
  tool.cachePoint === undefined ? [functionNamed(tool.toolSpec ?? tool.systemTool ?? null)] : [];

/**
 * The tools in `tools`, in Converse's `toolConfig`, in the older `functions` and the `web_search_options` of chat, and the
 * servers in `mcp_servers` of messages, each with its type and name.
 */
export const offeredTools = (body: JsonObject): readonly OfferedTool[] => [
  ...toObjects(body.tools).flatMap((tool) => (hasType(tool) ? ofOthers(tool) : ofGemini(tool))),
  ...toObjects(body.functions).map(functionNamed),
  ...toObjects(findObject(body.toolConfig)?.tools).flatMap(ofConverse),
  ...(isJsonObject(body.web_search_options) ? [{ type: 'web_search', name: 'web_search' }] : []),
  ...toObjects(body.mcp_servers).map((server) => ({ type: 'mcp', name: findName(server) ?? '' })),
];
