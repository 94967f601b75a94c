import type { JsonObject } from '../../../schema/json/json.ts';
import { newTraceId } from '../../http/exchange/trace-id.ts';

const noUsage: JsonObject = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};

/** Returns the events for a message that only adds to its conversation, which no model answers. */
export const preparedEvents = (body: JsonObject, id: string, now: number): readonly JsonObject[] => {
  const { model = null, instructions = null, tools = [], tool_choice = 'auto', metadata = {} } = body;
  const seconds = Math.floor(now / 1000);
  const response: JsonObject = {
    ...{ id, object: 'response', created_at: seconds, status: 'in_progress', error: null, incomplete_details: null },
    ...{ model, instructions, tools, tool_choice, metadata, output: [], parallel_tool_calls: true, usage: null },
    ...{ previous_response_id: body.previous_response_id ?? null, store: body.store ?? null },
  };
  const completed: JsonObject = { ...response, status: 'completed', completed_at: seconds, usage: noUsage };
  return [
    { type: 'response.created', response, sequence_number: 0 },
    { type: 'response.completed', response: completed, sequence_number: 1 },
  ];
};

/** Returns an id for such a response. */
export const newResponseId = (): string => `resp_${newTraceId()}`;
