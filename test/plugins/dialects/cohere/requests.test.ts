import { describe, expect, it } from 'vitest';
import type { Conversation, Turn } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { chatCodec, cohereCodec, here, messagesCodec, requestVia } from '../support/codecs.ts';

const question: JsonObject = { role: 'user', content: 'What is the weather in Graz?' };
const decode = (body: JsonObject): Conversation =>
  cohereCodec.decodeRequest({ model: 'command-a-03-2025', messages: [question], ...body }, here);
const toTurns = (...messages: readonly JsonObject[]): readonly Turn[] => decode({ messages }).turns;
const viaChat = (body: JsonObject): { body: JsonObject; lost: readonly string[] } =>
  requestVia(chatCodec, cohereCodec, { model: 'command-a-03-2025', messages: [question], ...body });
const call: JsonObject = { id: 'w1', type: 'function', function: { name: 'weather', arguments: '{"city":"Graz"}' } };
const weather: JsonObject = {
  type: 'function',
  function: { name: 'weather', description: 'The weather.', parameters: { type: 'object', properties: {} } },
};
const time: JsonObject = { type: 'function', function: { name: 'time' } };

describe('a decoded Cohere request', () => {
  it('has its parameters under the names of a conversation', () => {
    const { sampling, stream, streamUsage, logprobs } = decode({
      max_tokens: 20,
      temperature: 0.3,
      p: 0.9,
      k: 40,
      stop_sequences: ['\n'],
      seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      logprobs: true,
      stream: true,
    });
    expect(sampling).toEqual({
      maxTokens: 20,
      temperature: 0.3,
      topP: 0.9,
      topK: 40,
      stop: ['\n'],
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
    });
    expect({ stream, streamUsage, logprobs }).toEqual({ stream: true, streamUsage: true, logprobs: {} });
  });

  it.each<[Json, unknown]>([
    [{ type: 'disabled' }, { kind: 'off' }],
    [{ type: 'enabled' }, { kind: 'adaptive' }],
    [
      { type: 'enabled', token_budget: 2000 },
      { kind: 'budget', tokens: 2000 },
    ],
  ])('has reasoning for the thinking %j', (thinking, reasoning) => {
    expect(decode({ thinking }).reasoning).toEqual(reasoning);
  });

  it.each<[Json, unknown]>([
    [{ type: 'text' }, { kind: 'text' }],
    [{ type: 'json_object' }, { kind: 'json' }],
    [
      { type: 'json_object', json_schema: { type: 'object' } },
      { kind: 'schema', schema: { type: 'object' } },
    ],
    [
      { type: 'json_object', schema: { type: 'object' } },
      { kind: 'schema', schema: { type: 'object' } },
    ],
  ])('has an answer format for the response format %j', (format, answerFormat) => {
    expect(decode({ response_format: format }).answerFormat).toEqual(answerFormat);
  });

  it('has only strict tools if strict_tools is set', () => {
    const { tools, toolChoice } = decode({ tools: [weather, time], strict_tools: true, tool_choice: 'REQUIRED' });
    expect(tools).toMatchObject([
      { name: 'weather', strict: true },
      { name: 'time', strict: true },
    ]);
    expect(toolChoice).toEqual({ mode: 'required' });
    expect(decode({ tools: [weather], tool_choice: 'NONE' }).toolChoice).toEqual({ mode: 'none' });
  });

  it('has leading instructions as its system prompt, and later ones as turns in their place', () => {
    const { system, turns } = decode({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
        question,
        { role: 'developer', content: 'In French.' },
      ],
    });
    expect(system.map(({ text }) => text)).toEqual(['Be brief.', 'Be kind.']);
    expect(turns.map(({ role }) => role)).toEqual(['user', 'developer']);
  });

  it('has the thinking, the texts, the plan and the calls of an answer, in that order', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Let me look.' },
    ];
    expect(toTurns({ role: 'assistant', content, tool_plan: 'I will look.', tool_calls: [call] })).toEqual([
      {
        role: 'assistant',
        parts: [
          { kind: 'reasoning', text: 'Hm.' },
          { kind: 'text', text: 'Let me look.' },
          { kind: 'reasoning', text: 'I will look.' },
          { kind: 'tool-call', id: 'w1', name: 'weather', arguments: '{"city":"Graz"}' },
        ],
      },
    ]);
  });

  it.each<[Json]>([[null], [''], ['null']])('has an empty object for the arguments %j', (args) => {
    const empty = { id: 't1', type: 'function', function: { name: 'time', arguments: args } };
    expect(toTurns({ role: 'assistant', tool_calls: [empty] })[0]?.parts).toEqual([
      { kind: 'tool-call', id: 't1', name: 'time', arguments: '{}' },
    ]);
  });

  it('has citations on the text that they belong to', () => {
    const source = { type: 'document', id: 'd', document: { title: 'T', text: 'Rain.' } };
    const citations = [{ start: 0, end: 2, text: 'It', sources: [source] }];
    const [turn] = toTurns({ role: 'assistant', content: [{ type: 'text', text: 'It rains.' }], citations });
    expect(turn?.parts).toEqual([
      {
        kind: 'text',
        text: 'It rains.',
        citations: [{ title: 'T', quote: 'Rain.', source: 'd', span: { from: 0, to: 2 } }],
      },
    ]);
  });

  it.each<[Json, unknown]>([
    ['Sunny.', [{ kind: 'text', text: 'Sunny.' }]],
    [[{ type: 'text', text: 'Sunny.' }], [{ kind: 'text', text: 'Sunny.' }]],
    [[{ type: 'document', document: { data: { sun: 'yes' } } }], [{ kind: 'json', value: { sun: 'yes' } }]],
    [
      [{ type: 'document', document: { data: '{"sun":"yes"}', id: '1' } }],
      [{ kind: 'json', value: { id: '1', sun: 'yes' } }],
    ],
    [
      [{ type: 'document', document: { data: 'Sunny.', id: '1' } }],
      [{ kind: 'json', value: { id: '1', text: 'Sunny.' } }],
    ],
    [[{ type: 'document', document: { data: 'Sunny.' } }], [{ kind: 'text', text: 'Sunny.' }]],
  ])('has parts for the tool result %j', (content, parts) => {
    const answered = toTurns({ role: 'assistant', tool_calls: [call] }, { role: 'tool', tool_call_id: 'w1', content });
    expect(answered[1]).toEqual({ role: 'tool', parts: [{ kind: 'tool-result', id: 'w1', parts }] });
  });

  it('has its documents before the last question, so that every provider receives them', () => {
    const documents = ['Rain.', { id: 'x', data: { title: 'T', text: 'Sun.' } }, { data: { a: 1 } }];
    const { turns } = decode({ messages: [{ role: 'user', content: 'Hi' }, question], documents });
    const texts = turns[1]?.parts.map((part) =>
      part.kind === 'media' && part.source.kind === 'base64'
        ? [part.name, Buffer.from(part.source.data, 'base64').toString()]
        : part.kind,
    );
    expect(texts).toEqual([[undefined, 'Rain.'], ['T', 'Sun.'], [undefined, '{"a":1}'], 'text']);
    const { body } = requestVia(cohereCodec, messagesCodec, { messages: [question], documents });
    expect(JSON.stringify(body)).toContain('{"type":"text","media_type":"text/plain","data":"Sun."}');
  });

  it('keeps members that only its format has', () => {
    const own = { safety_mode: 'STRICT', citation_options: { mode: 'FAST' }, priority: 3 };
    expect(decode(own).extensions).toEqual({ cohere: own });
  });

  it.each<[JsonObject, string]>([
    [{ messages: 'Hi' }, 'messages must be a list'],
    [{ messages: [{ role: 'bot', content: 'Hi' }] }, 'messages[0].role must be "system"'],
    [{ messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'messages[0].content[0].text must be a string'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id must be a string'],
    [{ tool_choice: 'auto' }, 'tool_choice must be "REQUIRED" or "NONE"'],
    [{ thinking: { type: 'on' } }, 'thinking.type must be "enabled" or "disabled"'],
    [{ response_format: { type: 'xml' } }, 'response_format.type must be "text" or "json_object"'],
    [{ documents: [7] }, 'documents[0] must be an object'],
    [{ documents: [{ data: 7 }] }, 'documents[0].data must be an object or a string'],
    [{ p: '1' }, 'p must be a number'],
  ])('is rejected if it contains %j', (body, reason) => {
    expect(() => decode(body)).toThrow(reason);
  });
});

describe('a chat request for Cohere', () => {
  it("has its parameters under Cohere's names and within Cohere's ranges", () => {
    const { body, lost } = viaChat({ temperature: 1.5, top_p: 1, stop: 'x', presence_penalty: -1, n: 2, user: 'u' });
    expect(body).toMatchObject({ temperature: 1, p: 0.99, stop_sequences: ['x'], presence_penalty: 0 });
    expect(lost).toEqual(
      expect.arrayContaining([
        'sampling.temperature',
        'sampling.topP',
        'sampling.presencePenalty',
        'sampling.count',
        'user',
      ]),
    );
  });

  it("keeps members of Cohere's own API, and its documents after those of its turns", () => {
    const wire = { citation_options: { mode: 'FAST' }, safety_mode: 'OFF', documents: ['Sun in Graz.'] };
    const { body, lost } = viaChat(wire);
    expect(body).toMatchObject(wire);
    expect(lost).toEqual([]);
    const file = { type: 'file', file: { file_data: 'data:text/plain;base64,UmFpbi4=' } };
    const asked = { role: 'user', content: [file, { type: 'text', text: 'Weather?' }] };
    expect(viaChat({ ...wire, messages: [asked] }).body.documents).toEqual([
      { data: { text: 'Rain.' } },
      'Sun in Graz.',
    ]);
  });

  it('has a forced tool as its only tool, because a choice cannot name it', () => {
    const { body, lost } = viaChat({
      tools: [weather, time],
      tool_choice: { type: 'function', function: { name: 'time' } },
    });
    expect(body).toMatchObject({ tool_choice: 'REQUIRED' });
    expect(body.tools).toEqual([
      { type: 'function', function: { name: 'time', parameters: { type: 'object', properties: {} } } },
    ]);
    expect(lost).toEqual(expect.arrayContaining(['tools[0]', 'toolChoice.name', 'tools[1].parameters']));
  });

  it('has all results of a round directly after its calls, and then what is said in between', () => {
    const { body, lost } = viaChat({
      messages: [
        question,
        { role: 'assistant', content: null, tool_calls: [call, { ...call, id: 'w2' }] },
        { role: 'tool', tool_call_id: 'w1', content: 'Sunny.' },
        { role: 'system', content: 'Be short.' },
        { role: 'tool', tool_call_id: 'w2', content: 'Rainy.' },
        { role: 'user', content: 'Go on.' },
        { role: 'assistant', content: 'Done.' },
      ],
    });
    expect(body.messages).toMatchObject([
      question,
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'w1' },
      { role: 'tool', tool_call_id: 'w2' },
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Go on.' },
      { role: 'assistant' },
    ]);
    expect(lost).toContain('turns[4]');
  });

  it('omits the tool choice if the model may choose', () => {
    expect(viaChat({ tools: [weather], tool_choice: 'auto' }).body).not.toHaveProperty('tool_choice');
    expect(viaChat({ tools: [weather], tool_choice: 'none' }).body.tool_choice).toBe('NONE');
  });

  it('is strict if all of its tools are strict', () => {
    const strict = { type: 'function', function: { name: 'a', parameters: {}, strict: true } };
    expect(viaChat({ tools: [strict] }).body.strict_tools).toBe(true);
    const mixed = viaChat({ tools: [strict, weather] });
    expect(mixed.body).not.toHaveProperty('strict_tools');
    expect(mixed.lost).toContain('tools[0].strict');
  });

  it.each([
    ['none', { type: 'disabled' }],
    ['low', { type: 'enabled', token_budget: 1024 }],
    ['medium', { type: 'enabled', token_budget: 8192 }],
    ['high', { type: 'enabled' }],
  ])('has thinking for the effort %s', (effort, thinking) => {
    expect(viaChat({ reasoning_effort: effort }).body.thinking).toEqual(thinking);
  });

  it('limits the thinking budget to leave room for an answer', () => {
    expect(viaChat({ reasoning_effort: 'medium', max_tokens: 500 }).body.thinking).toEqual({
      type: 'enabled',
      token_budget: 499,
    });
  });

  it('keeps the text of an answer next to its calls, and never writes a plan', () => {
    const { body } = viaChat({
      messages: [
        question,
        { role: 'assistant', content: 'Let me look.', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'w1', content: 'Sunny.' },
      ],
    });
    expect(body.messages).toEqual([
      question,
      { role: 'assistant', content: [{ type: 'text', text: 'Let me look.' }], tool_calls: [call] },
      { role: 'tool', tool_call_id: 'w1', content: 'Sunny.' },
    ]);
  });

  it('passes images on unchanged', () => {
    const image = { type: 'image_url', image_url: { url: 'https://a.example/b.png', detail: 'low' } };
    const content = [{ type: 'text', text: 'What is this?' }, image];
    expect(viaChat({ messages: [{ role: 'user', content }] }).body.messages).toEqual([{ role: 'user', content }]);
  });
});

describe('a messages request for Cohere', () => {
  const viaMessages = (content: Json, role = 'user'): { body: JsonObject; lost: readonly string[] } =>
    requestVia(messagesCodec, cohereCodec, { model: 'm', max_tokens: 9, messages: [{ role, content }] });
  const document = { type: 'document', title: 'T', source: { type: 'text', media_type: 'text/plain', data: 'Rain.' } };

  it('has text documents as Cohere documents', () => {
    const { body, lost } = viaMessages([document, { type: 'text', text: 'And?' }]);
    expect(body.documents).toEqual([{ data: { text: 'Rain.', title: 'T' } }]);
    expect(body.messages).toEqual([{ role: 'user', content: 'And?' }]);
    expect(lost).not.toContain('turns[0].parts[0].media');
  });

  it('reports that a document after the text of its turn is moved before the text', () => {
    const { body, lost } = viaMessages([{ type: 'text', text: 'And?' }, document]);
    expect(body.documents).toHaveLength(1);
    expect(lost).toContain('turns[0].parts[1].media');
  });

  it('has a document as text if it is the only content of its turn', () => {
    const { body, lost } = viaMessages([document]);
    expect(body).not.toHaveProperty('documents');
    expect(body.messages).toEqual([{ role: 'user', content: 'Rain.' }]);
    expect(lost).toContain('turns[0].parts[0].media');
  });

  it('omits thinking signed by another provider, and keeps thinking without a signature', () => {
    const text = { type: 'text', text: 'Hi' };
    const signed = viaMessages([{ type: 'thinking', thinking: 'Hm.', signature: 'gw1.a.b' }, text], 'assistant');
    expect(signed.body.messages).toEqual([{ role: 'assistant', content: [text] }]);
    expect(signed.lost).toContain('turns[0].parts[0].reasoning');
    const own = viaMessages([{ type: 'thinking', thinking: 'Hm.', signature: '' }, text], 'assistant');
    expect(own.body.messages).toEqual([{ role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.' }, text] }]);
  });
});

describe('turns for Cohere', () => {
  const target = { provider: 'p', strict: true, drop: new Set<string>(), scope: here.scope };
  const encode = (...turns: readonly Turn[]): { messages: unknown; lost: readonly string[] } => {
    const rest = { system: [], tools: [], sampling: {}, stream: false, extensions: {} };
    const { body, lost } = cohereCodec.encodeRequest({ ...rest, turns }, target);
    return { messages: body.messages, lost };
  };
  const said = (text: string): { kind: 'text'; text: string } => ({ kind: 'text', text });
  const result = (id: string): Turn => ({ role: 'tool', parts: [{ kind: 'tool-result', id, parts: [said(id)] }] });

  it('are reported as lost if consecutive results would be read back as one turn', () => {
    expect(encode(result('a'), result('b'))).toEqual({
      messages: [
        { role: 'tool', tool_call_id: 'a', content: 'a' },
        { role: 'tool', tool_call_id: 'b', content: 'b' },
      ],
      lost: ['turns[1]'],
    });
  });

  it('are omitted if they are empty', () => {
    expect(encode({ role: 'user', parts: [said('Hi')] }, { role: 'assistant', parts: [said('')] })).toEqual({
      messages: [{ role: 'user', content: 'Hi' }],
      lost: ['turns[1].parts[0].text', 'turns[1]'],
    });
  });

  it('have the system role instead of the developer role', () => {
    const developer: Turn = { role: 'developer', parts: [said('In French.')] };
    expect(encode({ role: 'user', parts: [said('Hi')] }, developer)).toEqual({
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'system', content: 'In French.' },
      ],
      lost: ['turns[1].role'],
    });
  });
});

describe('a custom tool for Cohere', () => {
  const conversation: Conversation = {
    system: [],
    turns: [
      { role: 'user', parts: [{ kind: 'text', text: 'Count.' }] },
      { role: 'assistant', parts: [{ kind: 'tool-call', id: 'c', name: 'sql', arguments: 'select 1', input: 'text' }] },
      { role: 'tool', parts: [{ kind: 'tool-result', id: 'c', input: 'text', parts: [{ kind: 'text', text: '1' }] }] },
    ],
    tools: [{ kind: 'custom', name: 'sql' }],
    sampling: {},
    stream: false,
    extensions: {},
  };
  const target = { provider: 'p', strict: true, drop: new Set<string>(), scope: here.scope };

  it('is sent as a function with one parameter, and its calls are read back as custom calls', () => {
    const { body } = cohereCodec.encodeRequest(conversation, target);
    expect(body.tools).toMatchObject([{ function: { name: 'sql', parameters: { required: ['gw_input'] } } }]);
    expect(JSON.stringify(body.messages)).toContain('"arguments":"{\\"gw_input\\":\\"select 1\\"}"');
    expect(cohereCodec.decodeRequest(body, here).turns).toEqual(conversation.turns);
  });
});
