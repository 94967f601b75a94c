import { describe, expect, it } from 'vitest';
import type { ConversationCodec } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import {
  chatCodec,
  cohereCodec,
  converseCodec,
  geminiCodec,
  here,
  messagesCodec,
  requestVia,
  responsesCodec,
} from '../support/codecs.ts';

const decode = (wire: JsonObject): Conversation =>
  responsesCodec.decodeRequest({ model: 'm', input: [], ...wire }, here);

const toChat = (wire: JsonObject): ReturnType<typeof requestVia> =>
  requestVia(responsesCodec, chatCodec, { model: 'gpt-4o', ...wire });
const fromChat = (wire: JsonObject, drop: readonly string[] = []): ReturnType<typeof requestVia> =>
  requestVia(chatCodec, responsesCodec, { model: 'gpt-4o', messages: [], ...wire }, drop);
const fromMessages = (wire: JsonObject): ReturnType<typeof requestVia> =>
  requestVia(messagesCodec, responsesCodec, { model: 'gpt-4o', max_tokens: 100, messages: [], ...wire });

const said = (role: string, ...texts: readonly string[]): JsonObject => ({
  type: 'message',
  role,
  content:
    role !== 'assistant'
      ? texts.map((text) => ({ type: 'input_text', text }))
      : texts.length === 1
        ? (texts[0] ?? '')
        : texts.map((text) => ({ type: 'output_text', text, annotations: [] })),
});

describe('a decoded responses request', () => {
  it.each(['function_call_output', 'message', 'news'])('is rejected if a part of a message has the type %s', (type) => {
    const wire = { model: 'm', input: [{ role: 'user', content: [{ type, text: 'Hi' }] }] };
    expect(() => responsesCodec.decodeRequest(wire, here)).toThrow(
      'input[0].content[0].type is not the type of a message part',
    );
  });

  it('is rejected if an item has the type of a message part', () => {
    const wire = { model: 'm', input: [{ type: 'text', text: null }] };
    expect(() => responsesCodec.decodeRequest(wire, here)).toThrow('input[0].type is the type of a message part');
  });

  it('may have a single text as its input', () => {
    expect(decode({ input: 'Hi', instructions: 'Be kind.' })).toMatchObject({
      system: [{ kind: 'text', text: 'Be kind.' }],
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
    });
  });

  it('has instructions before the first turn as the system prompt, and later ones in their place', () => {
    const input = [
      said('developer', 'Be brief.'),
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'In French.' },
    ];
    expect(decode({ instructions: 'Be kind.', input })).toMatchObject({
      system: [{ text: 'Be kind.' }, { text: 'Be brief.' }],
      turns: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'system', parts: [{ text: 'In French.' }] },
      ],
    });
  });

  it('has consecutive items of the model as one turn, and their results as the next', () => {
    const input = [
      { role: 'user', content: 'Weather?' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Two.' }], encrypted_content: 'xx' },
      said('assistant', 'Looking.'),
      { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{"n":1}' },
      { type: 'custom_tool_call', call_id: 'b', name: 'sql', input: 'select 1' },
      { type: 'function_call_output', call_id: 'a', output: 'sun' },
      { type: 'custom_tool_call_output', call_id: 'b', output: [{ type: 'input_text', text: '1' }] },
    ];
    expect(decode({ input }).turns.slice(1)).toEqual([
      {
        role: 'assistant',
        parts: [
          {
            kind: 'reasoning',
            text: '',
            summary: ['Two.'],
            bound: { scope: 'here', kind: 'encrypted', value: 'xx' },
          },
          { kind: 'text', text: 'Looking.' },
          { kind: 'tool-call', id: 'a', name: 'weather', arguments: '{"n":1}' },
          { kind: 'tool-call', id: 'b', name: 'sql', arguments: 'select 1', input: 'text' },
        ],
      },
      {
        role: 'tool',
        parts: [
          { kind: 'tool-result', id: 'a', parts: [{ kind: 'text', text: 'sun' }] },
          { kind: 'tool-result', id: 'b', input: 'text', parts: [{ kind: 'text', text: '1' }] },
        ],
      },
    ]);
  });

  it('starts a new turn with a message that has another id or phase', () => {
    const input = [
      { ...said('assistant', 'Let me see.'), id: 'msg_1', phase: 'commentary' },
      { ...said('assistant', 'It is sunny.'), id: 'msg_2', phase: 'final_answer' },
    ];
    expect(decode({ input }).turns).toMatchObject([
      { id: 'msg_1', phase: 'commentary', parts: [{ text: 'Let me see.' }] },
      { id: 'msg_2', phase: 'final_answer', parts: [{ text: 'It is sunny.' }] },
    ]);
    const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };
    expect(decode({ input: [input[0] ?? {}, call, input[1] ?? {}] }).turns).toHaveLength(1);
  });

  it('omits reasoning that only refers to a stored item', () => {
    expect(decode({ input: [{ type: 'reasoning', id: 'rs_1', summary: [] }] }).turns).toEqual([]);
  });

  it('has the scope and the kind of a bound value', () => {
    const toBound = (encrypted: string): unknown => {
      const item = { type: 'reasoning', summary: [], encrypted_content: encrypted };
      const [part] = decode({ input: [item] }).turns[0]?.parts ?? [];
      return part?.kind === 'reasoning' ? part.bound : undefined;
    };
    expect(toBound('signature:x')).toEqual({ scope: 'here', kind: 'encrypted', value: 'signature:x' });
    expect(toBound('gw1.claude.signature:x')).toEqual({ scope: 'claude', kind: 'signature', value: 'x' });
    expect(toBound('gw1.gemini.thought:x')).toEqual({ scope: 'gemini', kind: 'thought', value: 'x' });
    expect(toBound('gw1.claude.xx')).toEqual({ scope: 'claude', kind: 'encrypted', value: 'xx' });
  });

  it('has the reasoning of other providers as text, although clients receive it as a summary', () => {
    const readPart = (more: JsonObject): unknown => {
      const summary = [{ type: 'summary_text', text: 'Hm' }];
      return decode({ input: [{ type: 'reasoning', summary, ...more }] }).turns[0]?.parts[0];
    };
    const signature = { scope: 'claude', kind: 'signature', value: 'x' };
    expect(readPart({ encrypted_content: 'gw1.claude.signature:x' })).toEqual({
      kind: 'reasoning',
      text: 'Hm',
      bound: signature,
    });
    expect(readPart({})).toEqual({ kind: 'reasoning', text: 'Hm' });
    expect(readPart({ encrypted_content: 'xx' })).toMatchObject({ text: '', summary: ['Hm'] });
    expect(readPart({ content: [{ type: 'reasoning_text', text: 'T' }] })).toMatchObject({
      text: 'T',
      summary: ['Hm'],
    });
  });

  it("has calls of the provider's own tools as readable parts, and other items unchanged", () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } };
    const approval = { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true };
    const { turns } = decode({ input: [search, approval] });
    expect(turns).toEqual([
      {
        role: 'assistant',
        parts: [
          {
            kind: 'server-tool-call',
            id: 'ws_1',
            name: 'web_search',
            arguments: '{"type":"search","query":"q"}',
            dialect: 'responses',
            value: search,
          },
        ],
      },
      { role: 'user', parts: [{ kind: 'other', dialect: 'responses', value: approval }] },
    ]);
  });

  it.each<[string, JsonObject]>([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: { id: 'conv_1' } }],
    ['background', { background: true }],
    ['input[0]', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['input[0]', { input: [{ id: 'msg_1' }] }],
  ])('is rejected if it relies on a stored response: %s', (member, wire) => {
    expect(() => decode(wire)).toThrow(GatewayError);
    expect(() => decode(wire)).toThrow(member);
    expect(() => decode(wire)).toThrow(
      'the provider does not store responses. Send the whole conversation in input, with store: false.',
    );
  });

  it.each([
    ['chat', chatCodec],
    ['messages', messagesCodec],
    ['gemini', geminiCodec],
    ['cohere', cohereCodec],
    ['converse', converseCodec],
  ])('is rejected for a provider of %s if a prompt stored by OpenAI is its only input', (_id, codec) => {
    const wire = { model: 'm', instructions: 'Be brief.', prompt: { id: 'pmpt_1' } };
    expect(() => requestVia(responsesCodec, codec, wire)).toThrow('prompt cannot be used alone');
    const { lost } = requestVia(responsesCodec, codec, { ...wire, input: 'Hi' });
    expect(lost).toContain('extensions.responses.prompt');
    expect(requestVia(responsesCodec, responsesCodec, wire).body).toMatchObject({ prompt: { id: 'pmpt_1' } });
  });

  it('is accepted if its members for stored responses are null or false', () => {
    const wire = { previous_response_id: null, conversation: null, background: false, store: true };
    expect(decode(wire).extensions).toEqual({});
  });

  it.each<[JsonObject, string]>([
    [{ input: 7 }, 'input must be a list.'],
    [{ input: [{ role: 'wizard', content: '' }] }, 'input[0].role must be'],
    [{ input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, 'input[0].content[0].image_url must be'],
    [{ input: [{ role: 'system', content: [{ type: 'input_image', image_url: 'x' }] }] }, 'must be "input_text"'],
    [{ input: [{ type: 'function_call', name: 'f' }] }, 'input[0].call_id must be a string.'],
    [{ input: [{ type: 'reasoning', summary: 'Hm' }] }, 'input[0].summary must be a list.'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].name must be a string.'],
    [{ tool_choice: 'some' }, 'tool_choice must be'],
    [{ text: { format: { type: 'xml' } } }, 'text.format.type must be'],
    [{ include: 'all' }, 'include must be a list.'],
  ])('is rejected with the name of the invalid member (%#)', (wire, reason) => {
    expect(() => decode(wire)).toThrow(reason);
  });
});

describe('a responses request to a chat provider', () => {
  it('has its system prompt first, and its limits, formats and efforts under their chat names', () => {
    const { body, lost } = toChat({
      instructions: 'Be kind.',
      input: [
        { role: 'user', content: [{ type: 'input_image', image_url: 'https://a.example/b.png', detail: 'low' }] },
      ],
      max_output_tokens: 100,
      temperature: 0.2,
      text: { format: { type: 'json_schema', name: 'city', schema: { type: 'object' }, strict: true } },
      reasoning: { effort: 'low' },
      user: 'u-1',
      stream: true,
      store: true,
    });
    expect(body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be kind.' },
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'https://a.example/b.png', detail: 'low' } }],
        },
      ],
      max_completion_tokens: 100,
      temperature: 0.2,
      response_format: { type: 'json_schema', json_schema: { name: 'city', schema: { type: 'object' }, strict: true } },
      reasoning_effort: 'low',
      user: 'u-1',
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(body).not.toHaveProperty('store');
    expect(lost).toEqual([]);
  });

  it('reports the loss of members that only its format has', () => {
    const { lost } = toChat({
      input: 'Hi',
      include: ['file_search_call.results'],
      truncation: 'auto',
      metadata: { a: 'b' },
      reasoning: { effort: 'low', summary: 'auto' },
      tools: [{ type: 'web_search' }],
    });
    expect(lost).toEqual(
      expect.arrayContaining([
        'tools[0]',
        'extensions.responses.include',
        'extensions.responses.truncation',
        'extensions.responses.metadata',
        'extensions.responses.reasoning',
      ]),
    );
  });
});

describe('a request to a responses provider', () => {
  it('is complete, and asks the provider to store nothing', () => {
    const call = { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"n":1}' } };
    const { body, lost } = fromChat({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: 'Looking.', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content: 'sun' },
      ],
      tools: [{ type: 'function', function: { name: 'weather', strict: true } }],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      parallel_tool_calls: false,
      max_tokens: 100,
    });
    expect(body).toEqual({
      model: 'gpt-4o',
      instructions: 'Be kind.',
      input: [
        said('user', 'Weather?'),
        said('assistant', 'Looking.'),
        { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{"n":1}' },
        { type: 'function_call_output', call_id: 'a', output: 'sun' },
      ],
      tools: [{ type: 'function', name: 'weather', parameters: null, strict: true }],
      tool_choice: { type: 'function', name: 'weather' },
      parallel_tool_calls: false,
      max_output_tokens: 100,
      store: false,
    });
    expect(lost).toEqual([]);
  });

  it('marks a function as not strict, because functions are strict by default', () => {
    const { body, lost } = fromChat({ tools: [{ type: 'function', function: { name: 'f' } }] });
    expect(body.tools).toEqual([{ type: 'function', name: 'f', parameters: null, strict: false }]);
    expect(lost).toEqual(['tools[0].strict']);
  });

  it('has several instructions in one message before all others', () => {
    const { body } = fromMessages({
      system: [
        { type: 'text', text: 'Be kind.' },
        { type: 'text', text: 'Be brief.' },
      ],
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(body.input).toEqual([said('system', 'Be kind.', 'Be brief.'), said('user', 'Hi')]);
  });

  it('asks only reasoning models for reasoning that can be sent back', () => {
    const findInclude = (wire: JsonObject): Json | undefined => fromChat(wire).body.include;
    expect(findInclude({ reasoning_effort: 'low' })).toEqual(['reasoning.encrypted_content']);
    expect(findInclude({ model: 'gpt-5-mini' })).toEqual(['reasoning.encrypted_content']);
    expect(findInclude({ model: 'openai/o3' })).toEqual(['reasoning.encrypted_content']);
    expect(findInclude({ model: 'gpt-5-chat-latest' })).toBeUndefined();
    expect(findInclude({ model: 'gpt-4o' })).toBeUndefined();
    expect(findInclude({ model: 'gpt-5.1', reasoning_effort: 'none' })).toBeUndefined();
  });

  it('has the reasoning that the provider encrypted, and drops all other reasoning', () => {
    const blocks = [
      { type: 'redacted_thinking', data: 'gw1.here.xx' },
      { type: 'thinking', thinking: 'Hm', signature: 'gw1.there.sig' },
      { type: 'text', text: 'Hi' },
    ];
    const { body, lost } = fromMessages({ messages: [{ role: 'assistant', content: blocks }] });
    expect(body.input).toEqual([{ type: 'reasoning', summary: [], encrypted_content: 'xx' }, said('assistant', 'Hi')]);
    expect(lost).toEqual(['turns[0].parts[1].reasoning']);
  });

  it.each<[string, ConversationCodec, JsonObject]>([
    [
      'messages',
      messagesCodec,
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm', signature: 'gw1.here.xx' }] },
    ],
    [
      'chat',
      chatCodec,
      { role: 'assistant', content_blocks: [{ type: 'thinking', thinking: 'Hm', data: 'gw1.here.xx' }] },
    ],
    [
      'cohere',
      cohereCodec,
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm', data: 'gw1.here.xx' }] },
    ],
  ])(
    'has the reasoning that a client of %s was shown as a summary, because content is refused',
    (_id, from, message) => {
      const { body } = requestVia(from, responsesCodec, { model: 'm', max_tokens: 9, messages: [message] });
      expect(body.input).toEqual([
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'xx' },
      ]);
    },
  );

  it('has the media of a user and of tool results as input', () => {
    const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'BBBB' };
    const { body } = fromMessages({
      messages: [
        { role: 'user', content: [png, { type: 'document', source: pdf, title: 'a.pdf' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'map', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [png] }] },
      ],
    });
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
    expect(body.input).toEqual([
      {
        type: 'message',
        role: 'user',
        content: [image, { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' }],
      },
      { type: 'function_call', call_id: 'a', name: 'map', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: [image] },
    ]);
  });

  it('reports parameters that the API does not have', () => {
    const { body, lost } = fromChat({
      stop: 'END',
      seed: 1,
      n: 2,
      presence_penalty: 1,
      frequency_penalty: 1,
      top_k: 3,
    });
    expect(body).toEqual({ model: 'gpt-4o', input: [], store: false });
    expect([...lost].sort()).toEqual([
      'sampling.count',
      'sampling.frequencyPenalty',
      'sampling.presencePenalty',
      'sampling.seed',
      'sampling.stop',
      'sampling.topK',
    ]);
  });

  it('reports turns that would be read back as one', () => {
    const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };
    const toLost = (...turns: Conversation['turns']): readonly string[] =>
      responsesCodec.encodeRequest({ ...decode({}), turns }, target).lost;
    const text = { kind: 'text' as const, text: 'Hi' };
    const model = { role: 'assistant' as const, parts: [text] };
    const result = { kind: 'tool-result' as const, id: 'a', parts: [text] };
    const tool = { role: 'tool' as const, parts: [result] };
    expect(toLost(model, model)).toEqual(['turns[1]']);
    expect(toLost(tool, tool)).toEqual(['turns[1]']);
    expect(toLost({ role: 'user', parts: [result, text] })).toEqual(['turns[0]']);
    expect(toLost({ role: 'developer', parts: [text] }, model)).toEqual(['system', 'turns[0]']);
    expect(toLost(model, { ...model, id: 'msg_2' }, tool, { role: 'developer', parts: [text] }, model)).toEqual([]);
  });

  it('omits members that the provider does not accept', () => {
    expect(fromChat({ user: 'u' }, ['user', 'store'])).toEqual({
      body: { model: 'gpt-4o', input: [] },
      lost: ['user', 'store'],
    });
  });
});

describe('a responses request for a responses provider', () => {
  it('keeps members and items that only its format has', () => {
    const wire = {
      model: 'my-model',
      instructions: 'Be kind.',
      input: [
        said('user', 'Draw.'),
        { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AAAA', output_format: 'webp' },
        { type: 'mcp_approval_request', id: 'mcpr_1', name: 'f', server_label: 's', arguments: '{}' },
        { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [
            {
              type: 'output_text',
              text: 'Done.',
              annotations: [
                { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 5 },
              ],
            },
          ],
        },
      ],
      tools: [
        { type: 'image_generation' },
        { type: 'custom', name: 'sql', format: { type: 'grammar', syntax: 'regex', definition: '.+' } },
      ],
      tool_choice: { type: 'image_generation' },
      include: ['message.output_text.logprobs', 'reasoning.encrypted_content', 'file_search_call.results'],
      top_logprobs: 2,
      text: { format: { type: 'text' }, verbosity: 'low' },
      reasoning: { effort: 'low', summary: 'auto' },
      max_tool_calls: 3,
      prompt_cache_key: 'k',
      service_tier: 'flex',
      truncation: 'auto',
      store: false,
      stream: true,
    };
    expect(requestVia(responsesCodec, responsesCodec, wire)).toEqual({ body: wire, lost: [] });
  });

  it('keeps a choice among allowed tools, and of a custom tool', () => {
    const tools = [
      { type: 'function', name: 'f', parameters: null, strict: false },
      { type: 'custom', name: 'sql' },
    ];
    const choice = {
      type: 'allowed_tools',
      mode: 'required',
      tools: [
        { type: 'function', name: 'f' },
        { type: 'custom', name: 'sql' },
      ],
    };
    const wire = { model: 'm', input: [said('user', 'Hi')], tools, tool_choice: choice, store: false };
    expect(decode(wire).toolChoice).toEqual({ mode: 'required', allowed: ['f', 'sql'] });
    expect(requestVia(responsesCodec, responsesCodec, wire)).toEqual({ body: wire, lost: [] });
    const one = { ...wire, tool_choice: { type: 'custom', name: 'sql' } };
    expect(requestVia(responsesCodec, responsesCodec, one)).toEqual({ body: one, lost: [] });
  });

  it('does not repeat a result that its item contains, and drops one without its item', () => {
    const item = { type: 'code_interpreter_call', id: 'ci_1', code: '1', outputs: [{ type: 'logs', logs: '1' }] };
    const conversation = decode({ input: [said('user', 'Run.'), item] });
    const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };
    expect(responsesCodec.encodeRequest(conversation, target)).toMatchObject({ body: { input: [{}, item] }, lost: [] });
    const [user, model] = conversation.turns;
    const torn = {
      ...conversation,
      turns: [user ?? expect.unreachable(), { role: 'assistant' as const, parts: model?.parts.slice(1) ?? [] }],
    };
    expect(responsesCodec.encodeRequest(torn, target).lost).toContain('turns[1].parts[0].server-tool-result');
  });
});
