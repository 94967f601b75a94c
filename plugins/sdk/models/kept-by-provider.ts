import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { findText } from '../../../schema/json/loose.ts';

/** Members by which a request goes on with what an account of a provider keeps. */
const continuing: readonly string[] = [
  ...['previous_response_id', 'conversation', 'container', 'cachedContent', 'cached_content'],
];

/** Members by which a request lets its provider do something beside answering. */
const doing: readonly string[] = [
  ...['background', 'web_search_options', 'mcp_servers', 'plugins', 'search_parameters', 'data_sources', 'connectors'],
];

/** Members that name what an account has, wherever in a body they are, and change nothing of it: files, and voices of earlier answers. */
const naming: readonly string[] = [
  ...['file_id', 'file_ids', 'file_uri', 'fileUri', 'input_file_id', 'vector_store_ids', 'audio'],
];

const anywhere: ReadonlySet<string> = new Set([...continuing, ...naming]);

/** The begin of the name of a model that an account has tuned. */
const tunedModel = 'ft:';

/** Texts, each with the quote before it, of which a JSON body has one if `isOfOneAccount` holds for any dialect but Responses. */
export const accountMarks: readonly string[] = [...[...anywhere, 'store'].map((name) => `"${name}"`), `"${tunedModel}`];

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

/** A prompt that is a text is continued; one that is an object is kept. */
const namesPrompt = ({ prompt }: JsonObject): boolean => isJsonObject(prompt);

/** Whether a provider keeps something of this request or its answer, or runs tools itself: that is not done twice. A tool with a member that is not known is taken for such a one. */
export const isKeptByProvider = (body: JsonObject, dialect: string | undefined): boolean =>
  isStored(body, dialect) ||
  [...continuing, ...doing].some((name) => isGiven(body[name])) ||
  namesPrompt(body) ||
  !toolsOf(body).every(isCallersTool);

/** Whether something in a body names what an account has. */
const namesKept = (body: JsonObject): boolean => {
  const open: Json[] = [body];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) open.push(...value);
    if (!isJsonObject(value)) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (anywhere.has(name) && isGiven(inner)) return true;
      if (typeof inner === 'object' && inner !== null) open.push(inner);
    }
  }
  return false;
};

/** Whether a request is for one account of its provider alone: it names what that has, or lets it keep the answer. */
export const isOfOneAccount = (body: JsonObject, dialect: string | undefined): boolean =>
  isStored(body, dialect) ||
  namesPrompt(body) ||
  findText(body.model)?.startsWith(tunedModel) === true ||
  namesKept(body);
