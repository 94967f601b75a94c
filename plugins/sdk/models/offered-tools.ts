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

/** The functions that a tool of Gemini's holds. */
const declared = (tool: JsonObject): readonly OfferedTool[] =>
  Object.entries(tool).flatMap(([member, value]) =>
    declarations.has(member) ? toObjects(value).map(functionNamed) : [],
  );

/** The tools of Gemini's server, each a member of one. */
const ofServer = (tool: JsonObject): readonly OfferedTool[] =>
  Object.keys(tool).flatMap((member) => (declarations.has(member) ? [] : [{ type: member, name: member }]));

const namesIn = (tool: JsonObject): readonly string[] =>
  [tool.function, tool.custom, tool].flatMap((each) => findName(each) ?? []);

/** A tool has one name by its own format. Under one that it has by another, somebody may read it too. */
const ofOthers = (tool: JsonObject): readonly OfferedTool[] => {
  const type = findText(tool.type) ?? 'function';
  const names = new Set(namesIn(tool));
  return names.size === 0 ? [{ type, name: type }] : [...names].map((name) => ({ type, name }));
};

/** Gemini's have neither a type nor a name. */
const hasType = (tool: JsonObject): boolean => typeof tool.type === 'string' || namesIn(tool).length > 0;

/**
 * Finds the tools that one object offers, in whatever format it may be read; `contents` are of Gemini's requests. A namespace
 * of Open Responses has tools of its own: https://developers.openai.com/api/docs/guides/tools-tool-search
 */
const ofTool = (tool: JsonObject, body: JsonObject): readonly OfferedTool[] => [
  ...(hasType(tool) ? ofOthers(tool) : []),
  ...declared(tool),
  ...(hasType(tool) && body.contents === undefined ? [] : ofServer(tool)),
  ...toObjects(tool.tools).flatMap((inner) => ofTool(inner, body)),
];

/** Items of Open Responses by which a request offers tools in the course of its conversation. */
const offering: ReadonlySet<Json | undefined> = new Set(['additional_tools', 'tool_search_output']);

const ofConverse = (tool: JsonObject): readonly OfferedTool[] => {
  const specs = [tool.toolSpec, tool.systemTool].filter((spec) => spec !== undefined);
  if (specs.length > 0) return specs.map(functionNamed);
  return tool.cachePoint === undefined ? [functionNamed(null)] : [];
};

/**
 * The tools in `tools` and in items of `input`, in Converse's `toolConfig`, in the older `functions` and the
 * `web_search_options` of chat, and the servers in `mcp_servers` of messages, each with its type and name.
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
