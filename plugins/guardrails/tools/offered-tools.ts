import type { JsonObject } from '../../../schema/json.ts';
import { firstText, objectAt, objectsAt } from './loose.ts';

/** The name of a tool, or its type, where the provider runs it and it has no name of its own. */
const unnamed = 'unnamed';

const ofOpenAi = (tool: JsonObject): string =>
  firstText(objectAt(tool.function).name, objectAt(tool.custom).name, tool.name, tool.type) ?? unnamed;

const inChat = (body: JsonObject): readonly string[] => [
  ...objectsAt(body.tools).map(ofOpenAi),
  ...objectsAt(body.functions).map(ofOpenAi),
  ...(body.web_search_options === undefined ? [] : ['web_search']),
];

const inTools = (body: JsonObject): readonly string[] => objectsAt(body.tools).map(ofOpenAi);

/** What a request may connect to beside its tools: https://docs.claude.com/en/docs/agents-and-tools/mcp-connector. */
const inMessages = (body: JsonObject): readonly string[] => [
  ...inTools(body),
  ...objectsAt(body.mcp_servers).map(({ name }) => firstText(name) ?? unnamed),
];

/** Functions are declared in a list; every other member of an item is a tool that Google runs: `googleSearch`. */
const ofGemini = (item: JsonObject): readonly string[] =>
  Object.entries(item).flatMap(([name, value]) =>
    name === 'functionDeclarations' || name === 'function_declarations' ? objectsAt(value).map(ofOpenAi) : [name],
  );

const ofConverse = (tool: JsonObject): readonly string[] => {
  const { toolSpec, systemTool, cachePoint } = tool;
  if (toolSpec === undefined && systemTool === undefined) return cachePoint === undefined ? [unnamed] : [];
  return [firstText(objectAt(toolSpec).name, objectAt(systemTool).name) ?? unnamed];
};

/** The names of the tools that a request offers, by its dialect. */
export const offeredTools: ReadonlyMap<string, (body: JsonObject) => readonly string[]> = new Map([
  ['chat', inChat],
  ['messages', inMessages],
  ['responses', inTools],
  ['gemini', (body) => objectsAt(body.tools).flatMap(ofGemini)],
  ['converse', (body) => objectsAt(objectAt(body.toolConfig).tools).flatMap(ofConverse)],
  ['cohere', inTools],
]);
