import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';

/** Members that clients expect in every response but that a request in another format cannot have set. */
export const defaultResponseMembers: JsonObject = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  truncation: 'disabled',
  user: null,
};

/** The members that a response repeats from its request. */
const repeated = [
  ...['instructions', 'max_output_tokens', 'max_tool_calls', 'metadata', 'parallel_tool_calls', 'prompt_cache_key'],
  ...['reasoning', 'safety_identifier', 'temperature', 'text', 'tool_choice', 'tools', 'top_logprobs', 'top_p'],
  ...['truncation', 'user'],
] as const;

const merged = (own: Json | undefined, requested: Json): Json =>
  isJsonObject(own) && isJsonObject(requested) ? { ...own, ...requested } : requested;

/** Returns the members of a request that a response repeats. Objects keep the members of the response that the request lacks. */
export const repeatedMembers = (request: JsonObject, response: JsonObject = defaultResponseMembers): JsonObject => {
  const members: Record<string, Json> = {};
  for (const name of repeated) {
    const value = request[name] ?? null;
    if (value !== null) members[name] = merged(response[name], value);
  }
  return members;
};
