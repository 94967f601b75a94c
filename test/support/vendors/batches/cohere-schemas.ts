import avro, { type Type } from 'avsc';

const maybe = (type: unknown) => ({ type: ['null', type], default: null });
const texts = { type: 'array', items: 'string' };

const record = (name: string, fields: object) => ({
  type: 'record',
  name,
  fields: Object.entries(fields).map(([field, type]) => ({
    name: field,
    ...(typeof type === 'object' && 'default' in type ? type : { type }),
  })),
});

const list = (items: object) => ({ type: 'array', items });

const requestBody = {
  messages: list(
    record('cohere.request_message', {
      role: 'string',
      content: maybe(
        list(
          record('cohere.request_content_object', {
            ...{ type: 'string', text: maybe('string'), thinking: maybe('string'), image_url: maybe('string') },
          }),
        ),
      ),
      tool_calls: maybe(
        list(
          record('cohere.assistant_tool_calls', {
            ...{ id: maybe('string'), type: maybe('string') },
            function: record('cohere.tool_call_function_object', { name: maybe('string'), arguments: maybe('string') }),
          }),
        ),
      ),
      ...{ tool_plan: maybe('string'), tool_call_id: maybe('string') },
    }),
  ),
  tools: maybe(
    list(
      record('cohere.tools_object', {
        type: maybe('string'),
        function: record('cohere.tool_function_object', {
          ...{ name: 'string', parameters: 'string', description: maybe('string') },
        }),
      }),
    ),
  ),
  ...{ temperature: maybe('double'), p: maybe('double') },
  ...{ frequency_penalty: maybe('double'), presence_penalty: maybe('double'), reasoning: maybe('boolean') },
  ...{ thinking_budget: maybe('long'), return_prompt: maybe('boolean'), logprobs: maybe('boolean') },
  ...{ max_tokens: maybe('long'), max_input_tokens: maybe('long'), k: maybe('long'), seed: maybe('long') },
};

const embedBody = {
  ...{ texts: maybe(texts), images: maybe(texts), input_type: 'string' },
  ...{ max_tokens: maybe('int'), output_dimension: maybe('int'), embedding_types: maybe(texts) },
  truncate: maybe('string'),
};

const line = (name: string, body: object): Type =>
  avro.Type.forSchema(record(name, { custom_id: 'string', body: record('cohere.body', body) }) as never);

/** The lines in datasets of each type, according to the member `schema` of recorded ones. */
export const lineTypes: ReadonlyMap<string, Type> = new Map([
  ['batch-chat-v2-input', line('cohere.batch_chat_v2_input', requestBody)],
  ['batch-embed-v2-input', line('cohere.batch_embed_v2_input', embedBody)],
  ['embed-input', avro.Type.forSchema(record('cohere.embed_input', { text: 'string' }) as never)],
]);

const counts = (name: string) => record(name, { input_tokens: maybe('double'), output_tokens: maybe('double') });

const answerBody = record('cohere.answer', {
  ...{ id: 'string', finish_reason: maybe('string') },
  message: maybe(
    record('cohere.message', {
      role: 'string',
      content: maybe(list(record('cohere.content', { type: 'string', text: maybe('string') }))),
      tool_calls: maybe(texts),
    }),
  ),
  usage: maybe(
    record('cohere.usage', { billed_units: maybe(counts('cohere.billed')), tokens: counts('cohere.tokens') }),
  ),
  embeddings: maybe(record('cohere.embeddings', { float: maybe(list({ type: 'array', items: 'float' })) })),
  meta: maybe(record('cohere.meta', { billed_units: counts('cohere.units') })),
});

/** The type of results: the body of an answer, or a text that explains why there is none. */
export const resultType: Type = avro.Type.forSchema(
  record('cohere.result', { custom_id: 'string', error: maybe('string'), body: maybe(answerBody) }) as never,
);
