import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** Members by which a request goes on with what a provider keeps, or lets it do something beside answering. */
const keeping: readonly string[] = [
  ...['previous_response_id', 'conversation', 'background', 'container', 'cachedContent', 'cached_content'],
  ...['web_search_options', 'mcp_servers', 'plugins', 'search_parameters', 'data_sources', 'connectors'],
];

const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== false;

/** The members of a tool that the caller runs, in all dialects. */
const toolMembers: ReadonlySet<string> = new Set([
  ...['type', 'name', 'description', 'function', 'custom', 'format', 'parameters', 'strict', 'cache_control'],
  ...['input_schema', 'input_examples', 'eager_input_streaming', 'defer_loading', 'allowed_callers'],
  ...['functionDeclarations', 'function_declarations', 'toolSpec', 'cachePoint', 'parameter_definitions'],
]);

const plainTypes: ReadonlySet<unknown> = new Set([undefined, 'function', 'custom']);

const isCallersTool = (tool: Json): boolean =>
  isJsonObject(tool) && plainTypes.has(tool.type) && Object.keys(tool).every((name) => toolMembers.has(name));

const toolsOf = ({ tools, toolConfig }: JsonObject): readonly Json[] => {
  const listed = tools ?? (isJsonObject(toolConfig) ? toolConfig.tools : undefined);
  if (listed === undefined || listed === null) return [];
  return Array.isArray(listed) ? listed : [null];
};

/** Only Responses keeps what is not forbidden to be kept: https://platform.openai.com/docs/api-reference/responses/create */
const isStored = ({ store }: JsonObject, dialect: string | undefined): boolean =>
  dialect === 'responses' ? store !== false : isGiven(store);

/** Whether a provider keeps something of this request or its answer, or runs tools itself: that is not done twice. A tool with a member that is not known is taken for such a one. */
export const isKeptByProvider = (body: JsonObject, dialect: string | undefined): boolean =>
  isStored(body, dialect) ||
  keeping.some((name) => isGiven(body[name])) ||
  // A prompt that is a text is continued; one that is an object is kept.
  isJsonObject(body.prompt) ||
  !toolsOf(body).every(isCallersTool);
