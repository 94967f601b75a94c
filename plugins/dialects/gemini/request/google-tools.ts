import type { Tool } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import { omit } from '../../shared/json/omit.ts';

type FunctionTool = Extract<Tool, { readonly kind: 'function' }>;

/**
 * The tools that Google runs, by the names with which clients of other formats request them:
 * https://ai.google.dev/api/caching#Tool
 */
const members = new Map([
  ['google_search', 'googleSearch'],
  ['google_search_retrieval', 'googleSearchRetrieval'],
  ['computer_use', 'computerUse'],
  ['google_maps', 'googleMaps'],
]);

const schemaWords = new Set(['$schema', 'type', 'title', 'properties', 'required', 'additionalProperties']);

/**
 * Returns the tool of Google that a function stands for by its name, with the settings in its `parameters`, such as
 * `{ "environment": "ENVIRONMENT_BROWSER" }`. A function that takes arguments is the client's own, whatever its name.
 */
export const toGoogleTool = ({ name, parameters = {} }: FunctionTool): JsonObject | undefined => {
  const member = members.get(name);
  if (member === undefined || Object.keys(findObject(parameters.properties) ?? {}).length > 0) return undefined;
  return { [member]: omit(parameters, schemaWords) ?? {} };
};
