/**
 * Responses as the vendor documents them, written for tests.
 * https://platform.openai.com/docs/api-reference/responses/object
 */
const identity = { id: 'resp_68a1', object: 'response', created_at: 1_790_000_000, model: 'gpt-4o-mini' };

const usage = {
  ...{ input_tokens: 5, input_tokens_details: { cached_tokens: 0 } },
  ...{ output_tokens: 7, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 12 },
};

const toMessage = (text: string): object => ({
  ...{ id: 'msg_68a1', type: 'message', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
});

export const responseAnswer = (text: string): object => ({
  ...identity,
  ...{ status: 'completed', error: null, incomplete_details: null, output: [toMessage(text)], usage },
});

/** https://platform.openai.com/docs/api-reference/responses-streaming; each event is complete. */
export const responseStream = (text: string): readonly string[] =>
  [
    { type: 'response.created', response: { ...identity, status: 'in_progress', output: [] } },
    { type: 'response.output_text.delta', item_id: 'msg_68a1', output_index: 0, content_index: 0, delta: text },
    { type: 'response.output_item.done', output_index: 0, item: toMessage(text) },
    { type: 'response.completed', response: responseAnswer(text) },
  ].map((event, sequence_number) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`);
