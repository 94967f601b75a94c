import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { chatCodec, here, messagesCodec, requestVia } from './support/codecs.ts';

const toMessages = (wire: JsonObject, drop: readonly string[] = []): ReturnType<typeof requestVia> =>
  requestVia(chatCodec, messagesCodec, { model: 'claude-opus-5', messages: [], ...wire }, drop);
const toChat = (wire: JsonObject, drop: readonly string[] = []): ReturnType<typeof requestVia> =>
  requestVia(messagesCodec, chatCodec, { model: 'gpt-4o', max_tokens: 100, messages: [], ...wire }, drop);

const user = (content: Json): JsonObject => ({ role: 'user', content });

describe('a chat request to a messages provider', () => {
  it('has its first instructions as the system prompt, and later ones in their place', () => {
    const messages = [
      { role: 'system', content: 'Be kind.' },
      { role: 'developer', content: 'Be brief.' },
      user('Hi'),
      { role: 'developer', content: 'Be quick.' },
    ];
    expect(toMessages({ messages }).body).toEqual({
      model: 'claude-opus-5',
      max_tokens: 128_000,
      system: [
        { type: 'text', text: 'Be kind.' },
        { type: 'text', text: 'Be brief.' },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        { role: 'system', content: [{ type: 'text', text: 'Be quick.' }] },
      ],
    });
  });

  it('has images and files as blocks', () => {
    const content = [
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
      { type: 'image_url', image_url: { url: 'data:image/webp;base64,AAAA' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
      { type: 'file', file: { file_id: 'file_011C' } },
      { type: 'file', file: { file_id: 'file-1' } },
    ];
    const { body, lost } = toMessages({ messages: [user(content)] });
    expect(lost).toContain('turns[0].parts[5].media');
    expect(body.messages).toEqual([
      user([
        { type: 'text', text: 'See' },
        { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
        { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: 'AAAA' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' }, title: 'a.pdf' },
        { type: 'document', source: { type: 'file', file_id: 'file_011C' } },
      ]),
    ]);
  });

  it('treats a data URL without base64 as a plain URL', () => {
    const findSource = (url: string): Json | undefined => {
      const { body } = toMessages({ messages: [user([{ type: 'image_url', image_url: { url } }])] });
      return JSON.parse(JSON.stringify(body.messages)).at(0).content.at(0).source as Json;
    };
    expect(findSource('data:image/png,raw')).toEqual({ type: 'url', url: 'data:image/png,raw' });
    expect(findSource('data:image/png;base64A')).toEqual({ type: 'url', url: 'data:image/png;base64A' });
    expect(findSource('data:;base64,AAAA')).toEqual({ type: 'base64', media_type: 'image/jpeg', data: 'AAAA' });
  });

  it('has calls as tool_use blocks, and their results at the start of the next message', () => {
    const call = (id: string): JsonObject => ({
      id,
      type: 'function',
      function: { name: 'weather', arguments: `{"n":"${id}"}` },
    });
    const messages = [
      user('Weather?'),
      { role: 'assistant', content: 'Looking.', tool_calls: [call('a'), call('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'sun' },
      { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'rain' }] },
      user('So?'),
    ];
    expect(toMessages({ messages })).toMatchObject({
      lost: ['sampling.maxTokens'],
      body: {
        messages: [
          user([{ type: 'text', text: 'Weather?' }]),
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'Looking.' },
              { type: 'tool_use', id: 'a', name: 'weather', input: { n: 'a' } },
              { type: 'tool_use', id: 'b', name: 'weather', input: { n: 'b' } },
            ],
          },
          user([
            { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'sun' }] },
            { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: 'rain' }] },
            { type: 'text', text: 'So?' },
          ]),
        ],
      },
    });
  });

  it('has an object as tool input, whatever arguments the model wrote', () => {
    const findInput = (text: string): Json | undefined => {
      const call = { id: 'a', type: 'function', function: { name: 'f', arguments: text } };
      const { body } = toMessages({ messages: [{ role: 'assistant', content: null, tool_calls: [call] }] });
      return JSON.parse(JSON.stringify(body.messages)).at(0).content.at(0).input as Json;
    };
    expect(findInput('')).toEqual({});
    expect(findInput('{"a": 1}')).toEqual({ a: 1 });
    expect(findInput('[1]')).toEqual({ arguments: '[1]' });
    expect(findInput('{"a": ')).toEqual({ arguments: '{"a": ' });
  });

  it('merges consecutive turns of the same side, and omits empty turns', () => {
    const messages = [user('a'), user('b'), { role: 'assistant', content: '' }, user('c')];
    expect(toMessages({ messages }).body.messages).toEqual([
      user([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
        { type: 'text', text: 'c' },
      ]),
    ]);
  });

  it.each<[Json, boolean | undefined, Json]>([
    ['auto', undefined, { type: 'auto' }],
    ['none', undefined, { type: 'none' }],
    ['required', false, { type: 'any', disable_parallel_tool_use: true }],
    [
      { type: 'function', function: { name: 'f' } },
      true,
      { type: 'tool', name: 'f', disable_parallel_tool_use: false },
    ],
  ])('expresses the tool choice %j, parallel %s', (choice, parallel, expected) => {
    const tools = [
      { type: 'function', function: { name: 'f', description: 'F', parameters: { properties: {} }, strict: true } },
    ];
    const more: JsonObject = parallel === undefined ? {} : { parallel_tool_calls: parallel };
    const { body } = toMessages({ messages: [user('x')], tools, tool_choice: choice, ...more });
    expect(body.tool_choice).toEqual(expected);
    expect(body.tools).toEqual([
      {
        name: 'f',
        description: 'F',
        input_schema: { type: 'object', properties: {}, additionalProperties: false },
        strict: true,
      },
    ]);
  });

  it('maps parameters, clamps the temperature, and reports what it lost', () => {
    const closed = { type: 'object', additionalProperties: false };
    const { body, lost } = toMessages({
      max_tokens: 9,
      max_completion_tokens: 7,
      temperature: 1.6,
      top_p: 0.3,
      stop: 'END',
      user: 'u-1',
      n: 2,
      seed: 1,
      logprobs: true,
      presence_penalty: 1,
      frequency_penalty: 1,
      stream: true,
      stream_options: { include_usage: true },
      response_format: { type: 'json_schema', json_schema: { name: 'city', schema: closed, strict: true } },
    });
    expect(body).toEqual({
      model: 'claude-opus-5',
      max_tokens: 7,
      temperature: 1,
      stop_sequences: ['END'],
      stream: true,
      metadata: { user_id: 'u-1' },
      output_config: { format: { type: 'json_schema', schema: closed } },
      messages: [],
    });
    expect([...lost].sort()).toEqual([
      'answerFormat.name',
      'answerFormat.strict',
      'logprobs',
      'sampling.count',
      'sampling.frequencyPenalty',
      'sampling.presencePenalty',
      'sampling.seed',
      'sampling.temperature',
      'sampling.topP',
    ]);
  });

  it.each<[string, string, JsonObject]>([
    [
      'claude-opus-5',
      'high',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' }, max_tokens: 128_000 },
    ],
    ['claude-opus-5', 'minimal', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
    ['claude-opus-5', 'none', { thinking: { type: 'disabled' } }],
    [
      'claude-sonnet-4-5-20250929',
      'high',
      { thinking: { type: 'enabled', budget_tokens: 16_384 }, max_tokens: 64_000 },
    ],
    ['claude-sonnet-4-20250514', 'low', { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 64_000 }],
    ['anthropic.claude-opus-4-20250514-v1:0', 'low', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['claude-3-5-haiku-latest', 'low', { max_tokens: 8192 }],
    ['claude-opus-4-1', 'max', { thinking: { type: 'enabled', budget_tokens: 23_808 }, max_tokens: 32_000 }],
    ['a-deployment', 'low', { max_tokens: 8192 }],
    ['claude-sonnet-4-6', 'low', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
  ])('asks the model %s for the effort %s in the form that it supports', (model, effort, expected) => {
    expect(toMessages({ model, messages: [user('x')], reasoning_effort: effort }).body).toMatchObject(expected);
  });

  it('omits thinking for a model with budgets if the API would reject it', () => {
    const model = 'claude-haiku-4-5';
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const afterTools = [
      user('x'),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'y' },
    ];
    expect(toMessages({ model, messages: afterTools, reasoning_effort: 'low' }).body).not.toHaveProperty('thinking');
    expect(toMessages({ model: 'claude-3-haiku', reasoning_effort: 'low' }).body).not.toHaveProperty('thinking');
    expect(toMessages({ model, max_tokens: 500, reasoning_effort: 'low' }).body).not.toHaveProperty('thinking');
    expect(toMessages({ model, max_tokens: 2000, reasoning_effort: 'high' }).body).toMatchObject({
      max_tokens: 2000,
      thinking: { budget_tokens: 1999 },
    });
  });

  it('sends signed thinking back, and omits unsigned thinking', () => {
    const blocks = [
      { type: 'thinking', thinking: 'Hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'xx' },
    ];
    const { body, lost } = toMessages({
      messages: [
        { role: 'assistant', content: 'A', content_blocks: blocks },
        { role: 'assistant', content: 'B', reasoning_content: 'unsigned' },
      ],
    });
    expect(body.messages).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'sig' },
          { type: 'redacted_thinking', data: 'xx' },
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
      },
    ]);
    expect(lost).toContain('turns[1].parts[0].reasoning');
  });

  it('keeps cache hints', () => {
    const cache_control = { type: 'ephemeral', ttl: '1h' };
    const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } }, cache_control };
    const { body } = toMessages({ messages: [user([{ type: 'text', text: 'Long', cache_control }])], tools: [tool] });
    expect(body).toMatchObject({
      messages: [{ content: [{ cache_control }] }],
      tools: [{ cache_control }],
    });
  });

  it('has deprecated functions as tools', () => {
    const { body } = toMessages({
      functions: [{ name: 'f', parameters: { type: 'object' } }],
      function_call: { name: 'f' },
      messages: [
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
        { role: 'function', name: 'f', content: 'one' },
      ],
    });
    expect(body).toMatchObject({
      tools: [{ name: 'f' }],
      tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'gw-function-1', input: { a: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'gw-function-1' }] },
      ],
    });
  });
});

describe('a messages request to a chat provider', () => {
  it('has its system prompt as the first message, and its limits under their chat names', () => {
    const { body, lost } = toChat({
      system: 'Be kind.',
      messages: [user('Hi')],
      temperature: 0.2,
      stop_sequences: ['END'],
      metadata: { user_id: 'u-1' },
      stream: true,
    });
    expect(body).toEqual({
      model: 'gpt-4o',
      messages: [{ role: 'system', content: 'Be kind.' }, user('Hi')],
      max_completion_tokens: 100,
      temperature: 0.2,
      stop: ['END'],
      user: 'u-1',
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(lost).toEqual([]);
  });

  it('has calls and results as separate messages, and media of results after them', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const { body, lost } = toChat({
      messages: [
        user('Weather?'),
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 's' },
            { type: 'text', text: 'Looking.' },
            { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Lyon' } },
            { type: 'tool_use', id: 'b', name: 'map', input: {} },
          ],
        },
        user([
          { type: 'tool_result', tool_use_id: 'a', content: 'sun', is_error: true },
          { type: 'tool_result', tool_use_id: 'b', content: [image] },
          { type: 'text', text: 'So?' },
        ]),
      ],
    });
    expect(body.messages).toEqual([
      user('Weather?'),
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Lyon"}' } },
          { id: 'b', type: 'function', function: { name: 'map', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'sun' },
      { role: 'tool', tool_call_id: 'b', content: 'The result is in the next message.' },
      user([
        { type: 'text', text: 'Result of the tool call b:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ]),
      user('So?'),
    ]);
    expect(lost).toEqual([
      'turns[1].parts[0].reasoning',
      'turns[2].parts[0].failed',
      'turns[2].parts[1].parts[0].media',
    ]);
  });

  it.each<[JsonObject, Json, Json | undefined]>([
    [{ type: 'auto' }, 'auto', undefined],
    [{ type: 'any', disable_parallel_tool_use: true }, 'required', false],
    [{ type: 'tool', name: 'f' }, { type: 'function', function: { name: 'f' } }, undefined],
    [{ type: 'none' }, 'none', undefined],
  ])('expresses the tool choice %j', (choice, expected, parallel) => {
    const tools = [{ name: 'f', description: 'F', input_schema: { type: 'object' }, strict: true }];
    const { body } = toChat({ messages: [user('x')], tools, tool_choice: choice });
    expect(body.tool_choice).toEqual(expected);
    expect(body.parallel_tool_calls).toEqual(parallel);
    expect(body.tools).toEqual([
      { type: 'function', function: { name: 'f', description: 'F', parameters: { type: 'object' }, strict: true } },
    ]);
  });

  it('omits what only the messages format has, and reports the loss', () => {
    const { body, lost } = toChat({
      messages: [user([{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }])],
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      tool_choice: { type: 'auto' },
      top_k: 5,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      service_tier: 'auto',
      container: 'c-1',
    });
    expect(body).toEqual({
      model: 'gpt-4o',
      max_completion_tokens: 100,
      messages: [user('Hi')],
      service_tier: 'auto',
    });
    expect([...lost].sort()).toEqual([
      'extensions.messages.container',
      'reasoning',
      'sampling.topK',
      'toolChoice',
      'tools[0]',
      'turns[0].parts[0].cache',
    ]);
  });

  it('has its effort and its answer schema', () => {
    const { body } = toChat({
      output_config: { effort: 'high', format: { type: 'json_schema', schema: { type: 'object' } } },
      thinking: { type: 'adaptive' },
    });
    expect(body).toMatchObject({
      reasoning_effort: 'high',
      response_format: { type: 'json_schema', json_schema: { name: 'response', schema: { type: 'object' } } },
    });
  });

  it('has documents as files, and plain-text documents as text', () => {
    const { body } = toChat({
      messages: [
        user([
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' }, title: 'a.pdf' },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüße' } },
        ]),
      ],
    });
    expect(body.messages).toEqual([
      user([
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
        { type: 'text', text: 'Grüße' },
      ]),
    ]);
  });

  it('omits members that the provider does not accept', () => {
    const { body, lost } = toChat({ metadata: { user_id: 'u' } }, ['max_completion_tokens', 'user']);
    expect(body).toEqual({ model: 'gpt-4o', messages: [], max_tokens: 100 });
    expect(lost).toEqual(['user']);
  });
});

describe('a request to a provider of the same dialect', () => {
  it.each<[string, JsonObject]>([
    [
      'chat',
      {
        model: 'gpt-4o',
        messages: [
          user('Hi'),
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'sql', input: 'x' } }],
          },
        ],
        tools: [{ type: 'custom', custom: { name: 'sql' } }],
        tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } },
        logit_bias: { '50256': -100 },
        logprobs: true,
        metadata: { a: 'b' },
        store: true,
        verbosity: 'low',
        stream: true,
        stream_options: { include_usage: true, include_obfuscation: false },
      },
    ],
    [
      'messages',
      {
        model: 'claude-sonnet-4-5',
        max_tokens: 5000,
        messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'file_1' }] }],
        tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2 }],
        thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' },
        output_config: { effort: 'low', task_budget: { tokens: 9 } },
        metadata: { user_id: 'u', tag: 't' },
        service_tier: 'auto',
        stream: true,
      },
    ],
  ])('in %s keeps members that only its format has', (id, wire) => {
    const codec = id === 'chat' ? chatCodec : messagesCodec;
    expect(requestVia(codec, codec, wire)).toEqual({ body: wire, lost: [] });
  });

  it('in chat keeps a chat-only part inside its tool result', () => {
    const custom = { type: 'custom', id: 'c1', custom: { name: 'sql', input: 'select 1' } };
    const messages = [{ role: 'tool', tool_call_id: 'a', content: [custom] }];
    expect(requestVia(chatCodec, chatCodec, { model: 'm', messages })).toEqual({
      body: { model: 'm', messages },
      lost: [],
    });
  });
});

describe('an invalid request', () => {
  it.each<[typeof chatCodec, JsonObject, string]>([
    [chatCodec, { model: 'm' }, 'messages must be a list.'],
    [chatCodec, { messages: [{ role: 'user', content: 7 }] }, 'messages[0].content must be a list.'],
    [chatCodec, { messages: [{ role: 'wizard', content: '' }] }, 'messages[0].role must be'],
    [
      chatCodec,
      { messages: [user([{ type: 'image_url', image_url: {} }])] },
      'messages[0].content[0].image_url.url must be a string.',
    ],
    [chatCodec, { messages: [], tools: [{ type: 'function' }] }, 'tools[0].function.name must be a string.'],
    [chatCodec, { messages: [], temperature: 'hot' }, 'temperature must be a number.'],
    [messagesCodec, { messages: [], stream: 'yes' }, 'stream must be true or false.'],
    [messagesCodec, { messages: [{ role: 'tool', content: '' }] }, 'messages[0].role must be'],
    [messagesCodec, { messages: [], tool_choice: { type: 'some' } }, 'tool_choice.type must be'],
  ])('is rejected with the name of the invalid member (%#)', (codec, wire, reason) => {
    expect(() => codec.decodeRequest(wire, here)).toThrow(GatewayError);
    expect(() => codec.decodeRequest(wire, here)).toThrow(reason);
  });
});
