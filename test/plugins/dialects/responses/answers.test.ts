import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../schema/conversation/answer.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { answerOptions, answerVia, chatCodec, here, messagesCodec, responsesCodec } from '../support/codecs.ts';

const answer = (output: readonly Json[], more: JsonObject = {}): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'gpt-5',
  output,
  usage: {
    input_tokens: 80,
    input_tokens_details: { cached_tokens: 64 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 3 },
    total_tokens: 87,
  },
  ...more,
});

const message = (...content: readonly Json[]): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  status: 'completed',
  role: 'assistant',
  content,
});

const text = (value: string, more: JsonObject = {}): JsonObject => ({
  type: 'output_text',
  text: value,
  annotations: [],
  logprobs: [],
  ...more,
});

const decode = (wire: JsonObject): Answer => responsesCodec.decodeAnswer(wire, here);
const toParts = (...output: readonly Json[]): unknown => decode(answer(output)).choices[0]?.parts;

describe('a responses answer', () => {
  it('has its text, calls, finish reason and usage', () => {
    const wire = answer(
      [
        message(text('Looking.')),
        { type: 'function_call', id: 'fc_1', status: 'completed', call_id: 'a', name: 'f', arguments: '{"a":1}' },
        { type: 'custom_tool_call', id: 'ctc_1', call_id: 'b', name: 'sql', input: 'select 1' },
      ],
      { service_tier: 'flex' },
    );
    expect(decode(wire)).toMatchObject({
      id: 'resp_1',
      model: 'gpt-5',
      created: 1,
      choices: [
        {
          parts: [
            { kind: 'text', text: 'Looking.' },
            { kind: 'tool-call', id: 'a', name: 'f', arguments: '{"a":1}' },
            { kind: 'tool-call', id: 'b', name: 'sql', arguments: 'select 1', input: 'text' },
          ],
          finish: { reason: 'tool-calls' },
        },
      ],
      usage: { input: 80, output: 7, cacheRead: 64, reasoning: 3, tier: 'flex' },
    });
  });

  it('has citations and log probabilities on their text', () => {
    const annotations = [
      { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 3 },
      { type: 'file_citation', file_id: 'file-1', filename: 'a.pdf', index: 3 },
    ];
    const logprobs = [{ token: 'Hi', logprob: -0.5, bytes: [72, 105], top_logprobs: [{ token: 'Ho', logprob: -2 }] }];
    expect(toParts(message(text('Hi.', { annotations, logprobs })))).toEqual([
      {
        kind: 'text',
        text: 'Hi.',
        citations: [
          { url: 'https://a.example', title: 'A', span: { from: 0, to: 3 } },
          { source: 'file-1', title: 'a.pdf', span: { from: 3, to: 3 } },
        ],
        logprobs: [{ token: 'Hi', logprob: -0.5, bytes: [72, 105], top: [{ token: 'Ho', logprob: -2 }] }],
      },
    ]);
  });

  it('has reasoning with text, summary and encrypted content, and omits empty reasoning', () => {
    const empty = { type: 'reasoning', id: 'rs_1', summary: [] };
    const full = {
      ...empty,
      summary: [{ type: 'summary_text', text: 'S' }],
      content: [{ type: 'reasoning_text', text: 'T' }],
      encrypted_content: 'xx',
    };
    expect(toParts(empty, full)).toEqual([
      { kind: 'reasoning', text: 'T', summary: ['S'], bound: { scope: 'here', kind: 'encrypted', value: 'xx' } },
    ]);
  });

  it.each<[JsonObject, readonly JsonObject[]]>([
    [
      {
        type: 'web_search_call',
        id: 's',
        action: { type: 'search', query: 'q', sources: [{ type: 'url', url: 'https://a.example' }] },
      },
      [{ name: 'web_search', arguments: '{"type":"search","query":"q"}' }, { text: 'https://a.example' }],
    ],
    [
      { type: 'file_search_call', id: 's', queries: ['q'], results: [{ file_id: 'f', text: 'found' }] },
      [{ name: 'file_search', arguments: '{"queries":["q"]}' }, { text: 'found' }],
    ],
    [
      { type: 'code_interpreter_call', id: 's', code: '1+1', outputs: [{ type: 'logs', logs: '2' }] },
      [{ name: 'code_execution', arguments: '{"code":"1+1"}' }, { text: '2' }],
    ],
    [
      { type: 'mcp_call', id: 's', name: 'f', server_label: 'x', arguments: '{"a":1}', output: 'done' },
      [{ name: 'mcp', arguments: '{"a":1}' }, { text: 'done' }],
    ],
    [
      { type: 'image_generation_call', id: 's', result: 'AAAA', output_format: 'webp', revised_prompt: 'A cat.' },
      [
        { name: 'image_generation', arguments: '{"prompt":"A cat."}' },
        { kind: 'media', media: 'image', source: { kind: 'base64', mimeType: 'image/webp', data: 'AAAA' } },
      ],
    ],
  ])("has calls of the provider's own tools as readable parts (%#)", (item, parts) => {
    expect(toParts(item)).toMatchObject(parts);
    const [choice] = decode(answerVia(responsesCodec, responsesCodec, answer([item]))).choices;
    expect(choice?.parts).toEqual(toParts(item));
  });

  it("counts the calls of the provider's own tools, but not the pages opened for a search", () => {
    const search = (type: string): JsonObject => ({ type: 'web_search_call', id: type, action: { type } });
    const wire = answer([search('search'), search('open_page'), search('search')]);
    expect(decode(wire).usage?.calls).toEqual({ web_search: 2 });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['completed', {}, { reason: 'stop' }],
    [
      'incomplete',
      { incomplete_details: { reason: 'max_output_tokens' } },
      { reason: 'length', raw: 'max_output_tokens' },
    ],
    [
      'incomplete',
      { incomplete_details: { reason: 'content_filter' } },
      { reason: 'content-filter', raw: 'content_filter' },
    ],
    ['incomplete', { incomplete_details: { reason: 'steered' } }, { reason: 'other', raw: 'steered' }],
    ['incomplete', {}, { reason: 'other' }],
  ])('with the status %s has the finish reason that its details indicate (%#)', (status, more, finish) => {
    expect(decode(answer([message(text('x'))], { status, ...more })).choices[0]?.finish).toEqual(finish);
  });

  it.each<[JsonObject, string]>([
    [{ message: 'hello' }, 'it has no list of output items'],
    [{ error: { code: 'server_error', message: 'Gone' } }, 'it is an error: Gone'],
    [answer([], { status: 'in_progress' }), 'its status is in_progress'],
  ])('is rejected if it is not a complete answer (%#)', (wire, reason) => {
    expect(() => decode(wire)).toThrow(reason);
  });

  it.each<[string, JsonObject]>([
    ['Gone.', { error: { code: 'server_error', message: 'Gone' } }],
    ['its status is "failed".', {}],
  ])('is a broken answer if its status is failed: %s', (reason, members) => {
    const failed = answer([], { status: 'failed', ...members });
    expect(() => decode(failed)).toThrow(
      expect.objectContaining({ report: expect.objectContaining({ code: 'broken-answer' }) }),
    );
    expect(() => decode(failed)).toThrow(reason);
  });
});

describe('an answer for a responses client', () => {
  const content = [
    { type: 'thinking', thinking: 'Hm', signature: 'sig' },
    { type: 'text', text: 'Let me ' },
    { type: 'text', text: 'look.' },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
  ];
  const wire = {
    id: 'msg_9',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5',
    content,
    stop_reason: 'tool_use',
    usage: { input_tokens: 10, cache_read_input_tokens: 30, output_tokens: 5 },
  };

  it('is a complete response that is marked as not stored', () => {
    expect(answerVia(messagesCodec, responsesCodec, wire)).toEqual({
      id: 'msg_9',
      object: 'response',
      created_at: 1_760_000_000,
      status: 'completed',
      error: null,
      incomplete_details: null,
      model: 'claude-opus-5',
      output: [
        {
          type: 'reasoning',
          id: 'rs_gw_msg_9_0',
          summary: [{ type: 'summary_text', text: 'Hm' }],
          encrypted_content: 'gw1.here.signature:sig',
        },
        {
          type: 'message',
          id: 'msg_msg_9_1',
          status: 'completed',
          role: 'assistant',
          content: [text('Let me '), text('look.')],
        },
        {
          type: 'function_call',
          id: 'fc_msg_9_2',
          status: 'completed',
          call_id: 'toolu_1',
          name: 'f',
          arguments: '{"a":1}',
        },
      ],
      background: false,
      instructions: null,
      max_output_tokens: null,
      metadata: {},
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: null, summary: null },
      service_tier: null,
      store: false,
      temperature: null,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_p: null,
      truncation: 'disabled',
      user: null,
      usage: {
        input_tokens: 40,
        input_tokens_details: { cached_tokens: 30, cache_write_tokens: 0 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 45,
      },
    });
  });

  it('carries values that only the provider can read through the client and back', () => {
    const body = answerVia(messagesCodec, responsesCodec, wire);
    const conversation = responsesCodec.decodeRequest({ model: 'm', input: body.output ?? [] }, { scope: 'elsewhere' });
    const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };
    expect(messagesCodec.encodeRequest(conversation, target).body.messages).toMatchObject([
      { role: 'assistant', content: [content[0], content[1], content[2], content[3]] },
    ]);
  });

  it.each<[string, string, Json]>([
    ['end_turn', 'completed', null],
    ['max_tokens', 'incomplete', { reason: 'max_output_tokens' }],
    ['model_context_window_exceeded', 'incomplete', { reason: 'max_output_tokens' }],
    ['refusal', 'incomplete', { reason: 'content_filter' }],
    ['pause_turn', 'completed', null],
  ])('maps the stop reason %s to the status %s', (stopReason, status, details) => {
    const body = answerVia(messagesCodec, responsesCodec, {
      ...wire,
      content: [content[1] ?? null],
      stop_reason: stopReason,
    });
    expect(body).toMatchObject({ status, incomplete_details: details, output: [{ type: 'message', status }] });
  });

  it('has null as its usage if the provider reported none', () => {
    const chat = { id: 'c', model: 'm', choices: [{ index: 0, message: { content: 'x', refusal: 'No.' } }] };
    expect(answerVia(chatCodec, responsesCodec, chat)).toMatchObject({
      output: [{ content: [{ type: 'output_text' }, { type: 'refusal', refusal: 'No.' }] }],
      usage: null,
    });
  });

  it('has citations of pages and files, which cover the whole text if they have no span', () => {
    const cited: Answer = {
      id: 'a',
      model: 'm',
      choices: [
        {
          index: 0,
          parts: [
            {
              kind: 'text',
              text: 'Hi.',
              citations: [{ url: 'https://a.example' }, { source: 'file-1' }, { source: 2 }],
            },
          ],
          finish: { reason: 'stop' },
        },
      ],
      extensions: {},
    };
    expect(responsesCodec.encodeAnswer(cited, answerOptions)).toMatchObject({
      output: [
        {
          content: [
            {
              annotations: [
                { type: 'url_citation', url: 'https://a.example', title: '', start_index: 0, end_index: 3 },
                { type: 'file_citation', file_id: 'file-1', filename: '', index: 3 },
              ],
            },
          ],
        },
      ],
    });
  });

  it('has an image as an image generation call, and omits other media', () => {
    const image = { kind: 'base64' as const, mimeType: 'image/png', data: 'AAAA' };
    const audio = { kind: 'base64' as const, mimeType: 'audio/wav', data: 'BBBB' };
    const parts = [
      { kind: 'media' as const, media: 'image' as const, source: image },
      { kind: 'media' as const, media: 'audio' as const, source: audio },
    ];
    const made = {
      id: 'a',
      model: 'm',
      choices: [{ index: 0, parts, finish: { reason: 'stop' as const } }],
      extensions: {},
    };
    expect(responsesCodec.encodeAnswer(made, answerOptions).output).toEqual([
      { type: 'image_generation_call', id: 'ig_a_0', status: 'completed', output_format: 'png', result: 'AAAA' },
    ]);
  });

  it('keeps members that only its format has', () => {
    const approval = { type: 'mcp_approval_request', id: 'mcpr_1', name: 'f', server_label: 's', arguments: '{}' };
    const native = answer([approval], { metadata: { a: 'b' }, top_logprobs: 0, store: true });
    expect(answerVia(responsesCodec, responsesCodec, native)).toMatchObject({
      output: [approval],
      metadata: { a: 'b' },
      top_logprobs: 0,
      store: false,
    });
  });
});
