import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { findText } from '../../../schema/json/loose.ts';

/** Members with which a request continues something that is stored in an account of a provider. */
const continuing: readonly string[] = [
  ...['previous_response_id', 'conversation', 'container', 'cachedContent', 'cached_content'],
];

/** Members with which a request makes its provider do something in addition to answering. */
const doing: readonly string[] = [
  ...['background', 'web_search_options', 'mcp_servers', 'plugins', 'search_parameters', 'data_sources', 'connectors'],
];

/**
 * Members that refer to something in an account without changing it, at any depth of a body: files, and the audio of earlier
 * answers.
 */
const naming: readonly string[] = [
  ...['file_id', 'file_ids', 'file_uri', 'fileUri', 'input_file_id', 'vector_store_ids', 'audio'],
];

const anywhere: ReadonlySet<string> = new Set([...continuing, ...naming]);

/** The prefix of the names of models that an account has fine-tuned. */
const tunedModel = 'ft:';

/**
 * Texts with their opening quote. For every dialect except Responses, a JSON body contains one of them if `isOfOneAccount`
 * returns true for it.
 */
export const accountMarks: readonly string[] = [...[...anywhere, 'store'].map((name) => `"${name}"`), `"${tunedModel}`];

const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== false;

/** The members of tools that the caller runs, in all dialects. */
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

/** Only Responses stores answers by default: https://platform.openai.com/docs/api-reference/responses/create */
const isStored = ({ store }: JsonObject, dialect: string | undefined): boolean =>
  dialect === 'responses' ? store !== false : isGiven(store);

/** A prompt that is a text is to be continued; one that is an object refers to a stored prompt. */
const namesPrompt = ({ prompt }: JsonObject): boolean => isJsonObject(prompt);

/**
 * Whether the provider stores something of this request or its answer, or runs tools itself, so that the request must not be
 * repeated. A tool with an unknown member is assumed to run at the provider.
 */
export const isStoredByProvider = (body: JsonObject, dialect: string | undefined): boolean =>
  isStored(body, dialect) ||
  [...continuing, ...doing].some((name) => isGiven(body[name])) ||
  namesPrompt(body) ||
  !toolsOf(body).every(isCallersTool);

/** Whether a body refers to something in an account. */
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

/**
 * Whether a request can only be sent to one account of its provider, because it refers to something in that account or has the
 * answer stored there.
 */
export const isOfOneAccount = (body: JsonObject, dialect: string | undefined): boolean =>
  isStored(body, dialect) ||
  namesPrompt(body) ||
  findText(body.model)?.startsWith(tunedModel) === true ||
  namesKept(body);
