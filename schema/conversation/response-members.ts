import type { JsonObject } from '../json/json.ts';

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
