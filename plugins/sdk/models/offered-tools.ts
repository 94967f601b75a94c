import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../schema/json/loose.ts';

/** A tool that a request offers to the model. */
export interface OfferedTool {
  readonly type: string;
  readonly name: string;
}

const findName = (value: Json | undefined): string | undefined => findText(findObject(value)?.name);

const functionNamed = (value: Json): OfferedTool => ({ type: 'function', name: findName(value) ?? '' });

const declarations: ReadonlySet<string> = new Set(['functionDeclarations', 'function_declarations']);

/** Returns the functions in a Gemini tool. */
const declared = (tool: JsonObject): readonly OfferedTool[] =>
  Object.entries(tool).flatMap(([member, value]) =>
    declarations.has(member) ? toObjects(value).map(functionNamed) : [],
  );

/** Returns the server tools in a Gemini tool, each of which is a member. */
const ofServer = (tool: JsonObject): readonly OfferedTool[] =>
  Object.keys(tool).flatMap((member) => (declarations.has(member) ? [] : [{ type: member, name: member }]));

const namesIn = (tool: JsonObject): readonly string[] =>
  [tool.function, tool.custom, tool].flatMap((each) => findName(each) ?? []);

/** In its own format a tool has one name, but another reader might use the name that it has in another format. */
const ofOthers = (tool: JsonObject): readonly OfferedTool[] => {
  const type = findText(tool.type) ?? 'function';
  const names = new Set(namesIn(tool));
  return names.size === 0 ? [{ type, name: type }] : [...names].map((name) => ({ type, name }));
};

/** Gemini's tools have neither a type nor a name. */
const hasType = (tool: JsonObject): boolean => typeof tool.type === 'string' || namesIn(tool).length > 0;

/**
 * Returns the tools that one object offers, in every format in which it might be read. `contents` identifies Gemini requests. A
 * namespace in Open Responses contains further tools: https://developers.openai.com/api/docs/guides/tools-tool-search
 */
const ofTool = (tool: JsonObject, body: JsonObject): readonly OfferedTool[] => [
  ...(hasType(tool) ? ofOthers(tool) : []),
  ...declared(tool),
  ...(hasType(tool) && body.contents === undefined ? [] : ofServer(tool)),
  ...toObjects(tool.tools).flatMap((inner) => ofTool(inner, body)),
];

/** Items of Open Responses with which a request offers tools during its conversation. */
const offering: ReadonlySet<Json | undefined> = new Set(['additional_tools', 'tool_search_output']);

const ofConverse = (tool: JsonObject): readonly OfferedTool[] => {
  const specs = [tool.toolSpec, tool.systemTool].filter((spec) => spec !== undefined);
  if (specs.length > 0) return specs.map(functionNamed);
  return tool.cachePoint === undefined ? [functionNamed(null)] : [];
};

/**
 * Returns the type and the name of each offered tool: in `tools` and in items of `input`, in Converse's `toolConfig`, in the
 * older `functions` and the `web_search_options` of chat, and the servers in `mcp_servers` of messages.
 */
export const offeredTools = (body: JsonObject): readonly OfferedTool[] => [
  ...toObjects(body.tools).flatMap((tool) => ofTool(tool, body)),
  ...toObjects(body.input)
    .filter(({ type }) => offering.has(type))
    .flatMap(({ tools }) => toObjects(tools).flatMap((tool) => ofTool(tool, body))),
  ...toObjects(body.functions).map(functionNamed),
  ...toObjects(findObject(body.toolConfig)?.tools).flatMap(ofConverse),
  ...(isJsonObject(body.web_search_options) ? [{ type: 'web_search', name: 'web_search' }] : []),
  ...toObjects(body.mcp_servers).map((server) => ({ type: 'mcp', name: findName(server) ?? '' })),
];
