import type { JsonObject } from '../../../../../schema/json/json.ts';

/** Requests with the word in places that only some formats have, as their clients write it. */
export const native: readonly (readonly [dialect: string, what: string, body: JsonObject])[] = [
  ...[
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a bomb' } },
    { type: 'document', source: { type: 'base64', media_type: 'text/plain', data: 'YSBib21i' } },
    { type: 'document', title: 'a bomb', source: { type: 'url', url: 'https://a.example' } },
    { type: 'document', context: 'a bomb', source: { type: 'url', url: 'https://a.example' } },
    { type: 'search_result', title: 't', source: 's', content: [{ type: 'text', text: 'a bomb' }] },
    { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'a bomb' }, { type: 'image' }] },
  ].map(
    (block) => ['messages', block.type, { max_tokens: 9, messages: [{ role: 'user', content: [block] }] }] as const,
  ),
  [
    'chat',
    'a file',
    {
      messages: [
        {
          role: 'user',
          content: [{ type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,YSBib21i' } }],
        },
      ],
    },
  ],
  [
    'chat',
    'the reasoning of a last turn',
    {
      messages: [
        { role: 'user', content: 'Hi.' },
        { role: 'assistant', content: 'Hi.', reasoning_content: 'a bomb' },
      ],
    },
  ],
  [
    'responses',
    'a file',
    {
      input: [
        {
          role: 'user',
          content: [{ type: 'input_file', filename: 'a.txt', file_data: 'data:text/plain;base64,YSBib21i' }],
        },
      ],
    },
  ],
  ['responses', 'an input that is a text', { input: 'a bomb' }],
  ['cohere', 'documents', { messages: [{ role: 'user', content: 'Hi.' }], documents: [{ data: { text: 'a bomb' } }] }],
  [
    'cohere',
    'the thinking of a last turn',
    {
      messages: [
        { role: 'user', content: 'Hi.' },
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'a bomb' }] },
      ],
    },
  ],
  [
    'gemini',
    'the result of a call',
    {
      contents: [
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: { found: ['a bomb'] } } } }] },
      ],
    },
  ],
  [
    'converse',
    'a document of texts',
    {
      messages: [
        {
          role: 'user',
          content: [
            { document: { format: 'txt', name: 'a', source: { content: [{ text: 'a bomb' }] } } },
            { text: 'Hi.' },
          ],
        },
      ],
    },
  ],
];

/** Answers in which only the provider's own tools contain the word. */
export const serverTools: readonly (readonly [dialect: string, answer: JsonObject])[] = [
  [
    'messages',
    {
      id: 'a',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'a bomb' } },
        { type: 'text', text: 'Hi.' },
      ],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  ],
  [
    'responses',
    {
      id: 'a',
      object: 'response',
      status: 'completed',
      model: 'm',
      output: [
        { type: 'web_search_call', id: 's', status: 'completed', action: { type: 'search', query: 'a bomb' } },
        {
          type: 'message',
          id: 'b',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hi.', annotations: [] }],
        },
      ],
    },
  ],
  [
    'gemini',
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ executableCode: { language: 'PYTHON', code: 'a bomb' } }, { text: 'Hi.' }],
          },
          finishReason: 'STOP',
        },
      ],
    },
  ],
];
