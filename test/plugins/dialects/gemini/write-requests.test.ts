import { describe, expect, it } from 'vitest';
import type { Conversation, Part, ReasoningRequest, Tool, Turn } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { chatCodec, geminiCodec, here, messagesCodec, requestVia } from '../support/codecs.ts';

const write = (conversation: Partial<Conversation>, drop: readonly string[] = []): ReturnType<typeof requestVia> => {
  const whole = { system: [], turns: [], tools: [], sampling: {}, stream: false, extensions: {}, ...conversation };
  const target = { provider: 'test', strict: true, drop: new Set(drop), scope: here.scope };
  const { body, lost } = geminiCodec.encodeRequest(whole, target);
  return { body: JSON.parse(JSON.stringify(body)) as JsonObject, lost };
};

const findContents = (turns: readonly Turn[], model?: string): Json | undefined =>
  write({ turns, ...(model === undefined ? {} : { model }) }).body.contents;

const said = (role: Turn['role'], text: string): Turn => ({ role, parts: [{ kind: 'text', text }] });
const call = (id: string, name = 'f'): Part => ({ kind: 'tool-call', id, name, arguments: '{}' });
const result = (id: string, text = 'ok'): Part => ({ kind: 'tool-result', id, parts: [{ kind: 'text', text }] });
const own = (value: string, text = ''): Part => ({
  kind: 'reasoning',
  text,
  bound: { scope: 'here', kind: 'signature', value },
});
const wireCall = (id: string, name = 'f'): JsonObject => ({ functionCall: { id, name, args: {} } });

describe('a chat request to Gemini', () => {
  it('has neither a model nor a stream flag in its body', () => {
    const wire = { model: 'gemini-2.5-flash', stream: true, messages: [{ role: 'user', content: 'Hi' }] };
    expect(requestVia(chatCodec, geminiCodec, wire).body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    });
  });

  it.each([
    ['mp3', 'audio/mpeg'],
    ['mpga', 'audio/mpeg'],
    ['opus', 'audio/ogg'],
    ['pcm16', 'audio/pcm'],
    ['wav', 'audio/wav'],
  ])('has the media type of audio in the format %s', (format, mimeType) => {
    const content = [{ type: 'input_audio', input_audio: { data: 'AAAA', format } }];
    expect(
      requestVia(chatCodec, geminiCodec, { model: 'm', messages: [{ role: 'user', content }] }).body.contents,
    ).toEqual([{ role: 'user', parts: [{ inlineData: { mimeType, data: 'AAAA' } }] }]);
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { url: 'gs://bucket/a', mime_type: 'image/png' },
      { fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/a' } },
    ],
    [
      { url: 'https://a.example/b?c', mime_type: 'video/mp4' },
      { fileData: { mimeType: 'video/mp4', fileUri: 'https://a.example/b?c' } },
    ],
    [
      { url: 'gs://bucket/a', mime_type: 'application/pdf' },
      { fileData: { mimeType: 'application/pdf', fileUri: 'gs://bucket/a' } },
    ],
    [{ url: 'gs://bucket/a.webp' }, { fileData: { mimeType: 'image/webp', fileUri: 'gs://bucket/a.webp' } }],
    [{ url: 'data:;base64,AAAA', mime_type: 'image/png' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
    [
      { url: 'data:image/gif;base64,AAAA', mime_type: 'image/png' },
      { inlineData: { mimeType: 'image/gif', data: 'AAAA' } },
    ],
  ])('has the media type that a client specifies in %j', (image_url, part) => {
    const content = [{ type: 'image_url', image_url }];
    const { body, lost } = requestVia(chatCodec, geminiCodec, { model: 'm', messages: [{ role: 'user', content }] });
    expect(body.contents).toEqual([{ role: 'user', parts: [part] }]);
    expect(lost).toEqual([]);
  });

  it('has the ratio and size of images, in either spelling', () => {
    const wire = { model: 'gemini-2.5-flash-image', messages: [] };
    const imageConfig = { aspectRatio: '16:9', imageSize: '2K' };
    for (const own of [{ image_config: { aspect_ratio: '16:9', image_size: '2K' } }, { imageConfig }]) {
      const { body, lost } = requestVia(chatCodec, geminiCodec, { ...wire, ...own });
      expect(body.generationConfig).toEqual({ imageConfig });
      expect(lost).toEqual([]);
    }
  });

  it('has its parameters in generationConfig', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
    const wire = {
      model: 'gemini-2.0-flash',
      messages: [],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      max_tokens: 100,
      stop: ['END'],
      seed: 7,
      n: 2,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
    };
    expect(requestVia(chatCodec, geminiCodec, wire).body.generationConfig).toEqual({
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      maxOutputTokens: 100,
      stopSequences: ['END'],
      seed: 7,
      candidateCount: 2,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    });
  });

  it.each<[string, readonly Tool[], boolean]>([
    ['gemini-2.5-flash', [{ kind: 'function', name: 'f' }], false],
    ['gemini-2.5-flash', [], true],
    ['gemini-3-pro-preview', [{ kind: 'function', name: 'f' }], true],
    ['tunedModels/a', [{ kind: 'function', name: 'f' }], true],
  ])('for %s asks for JSON only if the model supports it together with its functions (%#)', (model, tools, isSent) => {
    const { body, lost } = write({ model, tools, answerFormat: { kind: 'json' } });
    expect(body.generationConfig).toEqual(isSent ? { responseMimeType: 'application/json' } : undefined);
    expect(lost).toEqual(isSent ? [] : ['answerFormat']);
  });

  it('names the function of each result, which the client identifies by the call', () => {
    const wire = {
      model: 'gemini-2.5-flash',
      messages: [
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Lyon"}' } },
            { id: 'b', type: 'function', function: { name: 'time', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'b', content: 'noon' },
        { role: 'tool', tool_call_id: 'a', content: 'sun' },
        { role: 'user', content: 'So?' },
      ],
    };
    expect(requestVia(chatCodec, geminiCodec, wire).body.contents).toEqual([
      { role: 'user', parts: [{ text: 'Weather?' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'a', name: 'weather', args: { city: 'Lyon' } } },
          { functionCall: { id: 'b', name: 'time', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'weather', response: { output: 'sun' } } },
          { functionResponse: { id: 'b', name: 'time', response: { output: 'noon' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'So?' }] },
    ]);
  });

  it('has images inline or by URI', () => {
    const images = ['https://a.example/b.png', 'data:image/webp;base64,AAAA', 'gs://bucket/c'];
    const content = images.map((url) => ({ type: 'image_url', image_url: { url } }));
    const wire = { model: 'gemini-2.5-flash', messages: [{ role: 'user', content }] };
    expect(requestVia(chatCodec, geminiCodec, wire).body.contents).toEqual([
      {
        role: 'user',
        parts: [
          { fileData: { mimeType: 'image/png', fileUri: 'https://a.example/b.png' } },
          { inlineData: { mimeType: 'image/webp', data: 'AAAA' } },
          { fileData: { mimeType: 'image/jpeg', fileUri: 'gs://bucket/c' } },
        ],
      },
    ]);
  });
});

describe('a request to Gemini', () => {
  it('has nonzero penalties only for models that support them', () => {
    const sampling = { presencePenalty: 0, frequencyPenalty: 0.4 };
    expect(write({ model: 'gemini-2.0-flash', sampling })).toMatchObject({
      body: { generationConfig: sampling },
      lost: [],
    });
    for (const model of ['gemini-2.5-pro', 'gemini-3-flash-preview']) {
      const { body, lost } = write({ model, sampling });
      expect([body.generationConfig, lost]).toEqual([{ presencePenalty: 0 }, ['sampling.frequencyPenalty']]);
    }
  });

  it("has all functions in one tool, before the provider's own tools", () => {
    const { body, lost } = write({
      tools: [
        { kind: 'other', dialect: 'gemini', value: { googleSearch: {} } },
        { kind: 'function', name: 'f', description: 'F.', parameters: { properties: { a: {} } } },
        { kind: 'function', name: 'g' },
        { kind: 'other', dialect: 'chat', value: { type: 'x' } },
      ],
    });
    expect(body.tools).toEqual([
      {
        functionDeclarations: [
          { name: 'f', description: 'F.', parametersJsonSchema: { type: 'object', properties: { a: {} } } },
          { name: 'g' },
        ],
      },
      { googleSearch: {} },
    ]);
    expect(lost).toEqual(['tools[1].order', 'tools[2].order', 'tools[3]']);
  });

  it.each<[string, JsonObject | undefined, JsonObject]>([
    ['google_search', undefined, { googleSearch: {} }],
    ['google_search', { type: 'object', properties: {}, required: [] }, { googleSearch: {} }],
    [
      'google_search_retrieval',
      { dynamicRetrievalConfig: { mode: 'MODE_DYNAMIC', dynamicThreshold: 0.3 } },
      { googleSearchRetrieval: { dynamicRetrievalConfig: { mode: 'MODE_DYNAMIC', dynamicThreshold: 0.3 } } },
    ],
    [
      'computer_use',
      { type: 'object', environment: 'ENVIRONMENT_BROWSER', excluded_predefined_functions: ['drag_and_drop'] },
      { computerUse: { environment: 'ENVIRONMENT_BROWSER', excluded_predefined_functions: ['drag_and_drop'] } },
    ],
    ['google_maps', { enableWidget: true }, { googleMaps: { enableWidget: true } }],
  ])("has Google's own tool for a function named %s with the parameters %j", (name, parameters, native) => {
    const described = { kind: 'function' as const, name, description: 'Its own.', ...(parameters && { parameters }) };
    const { body, lost } = write({ tools: [described, { kind: 'function', name: 'f' }] });
    expect(body.tools).toEqual([{ functionDeclarations: [{ name: 'f' }] }, native]);
    expect(lost).toEqual(['tools[0].description', 'tools[1].order']);
  });

  it('keeps a function named like a Google tool if it takes arguments', () => {
    const parameters = { type: 'object', properties: { query: { type: 'string' } } };
    const { body } = write({ tools: [{ kind: 'function', name: 'google_search', parameters }] });
    expect(body.tools).toEqual([
      { functionDeclarations: [{ name: 'google_search', parametersJsonSchema: parameters }] },
    ]);
  });

  it("has Google tools that are read back as the provider's own", () => {
    const { body } = write({ tools: [{ kind: 'function', name: 'google_maps', parameters: { enableWidget: true } }] });
    expect(geminiCodec.decodeRequest(body, { ...here, model: 'm', stream: false }).tools).toEqual([
      { kind: 'other', dialect: 'gemini', value: { googleMaps: { enableWidget: true } } },
    ]);
  });

  it.each<[Conversation['toolChoice'], JsonObject | undefined, string]>([
    [{ mode: 'tool', name: 'google_search' }, undefined, 'toolChoice'],
    [{ mode: 'required', allowed: ['google_search'] }, undefined, 'toolChoice'],
    [
      { mode: 'auto', allowed: ['google_search', 'f'] },
      { mode: 'VALIDATED', allowedFunctionNames: ['f'] },
      'toolChoice.allowed',
    ],
  ])('reports that it cannot choose a Google tool: %j', (toolChoice, functionCallingConfig, loss) => {
    const tools = ['f', 'google_search'].map((name) => ({ kind: 'function' as const, name }));
    const { body, lost } = write({ tools, ...(toolChoice && { toolChoice }) });
    expect(body.toolConfig).toEqual(functionCallingConfig && { functionCallingConfig });
    expect(lost).toContain(loss);
  });

  it.each<[Conversation['toolChoice'], JsonObject]>([
    [{ mode: 'auto' }, { mode: 'AUTO' }],
    [{ mode: 'none' }, { mode: 'NONE' }],
    [{ mode: 'required' }, { mode: 'ANY' }],
    [
      { mode: 'tool', name: 'f' },
      { mode: 'ANY', allowedFunctionNames: ['f'] },
    ],
    [
      { mode: 'required', allowed: ['f', 'g'] },
      { mode: 'ANY', allowedFunctionNames: ['f', 'g'] },
    ],
    [
      { mode: 'auto', allowed: ['f'] },
      { mode: 'VALIDATED', allowedFunctionNames: ['f'] },
    ],
  ])('expresses the tool choice %j', (toolChoice, functionCallingConfig) => {
    const { body } = write({ tools: [{ kind: 'function', name: 'f' }], ...(toolChoice && { toolChoice }) });
    expect(body.toolConfig).toEqual({ functionCallingConfig });
  });

  it.each<[string, ReasoningRequest, object | undefined, boolean?]>([
    ['gemini-3-flash-preview', { kind: 'effort', effort: 'medium' }, { thinkingLevel: 'MEDIUM' }],
    ['gemini-3-flash-preview', { kind: 'effort', effort: 'none' }, { thinkingLevel: 'MINIMAL' }, true],
    ['gemini-3-flash-preview', { kind: 'off' }, { thinkingLevel: 'MINIMAL', includeThoughts: undefined }, true],
    ['gemini-3-pro-preview', { kind: 'effort', effort: 'minimal' }, { thinkingLevel: 'LOW' }, true],
    ['gemini-3-pro-preview', { kind: 'effort', effort: 'medium' }, { thinkingLevel: 'HIGH' }, true],
    ['gemini-3.1-pro-preview', { kind: 'effort', effort: 'medium' }, { thinkingLevel: 'MEDIUM' }],
    ['gemini-flash-latest', { kind: 'effort', effort: 'xhigh' }, { thinkingLevel: 'HIGH' }, true],
    ['gemini-3-flash-preview', { kind: 'adaptive' }, {}],
    ['gemini-3-flash-preview', { kind: 'budget', tokens: 2000 }, { thinkingBudget: 2000 }],
    ['models/gemini-2.5-flash', { kind: 'effort', effort: 'low' }, { thinkingBudget: 1024 }, true],
    ['gemini-2.5-flash', { kind: 'effort', effort: 'high' }, { thinkingBudget: 24_576 }, true],
    ['gemini-2.5-flash', { kind: 'budget', tokens: 30_000 }, { thinkingBudget: 24_576 }, true],
    ['gemini-2.5-pro', { kind: 'budget', tokens: 30_000 }, { thinkingBudget: 30_000 }],
    ['gemini-2.5-flash', { kind: 'off' }, { thinkingBudget: 0, includeThoughts: undefined }],
    ['gemini-2.5-pro', { kind: 'off' }, { thinkingBudget: 128 }, true],
    ['gemini-2.5-flash-lite', { kind: 'adaptive' }, { thinkingBudget: -1 }],
    ['gemini-2.0-flash', { kind: 'effort', effort: 'high' }, undefined, true],
  ])('for the model %s thinks as %j specifies', (model, reasoning, config, isLost = false) => {
    const { body, lost } = write({ model, reasoning });
    const thinkingConfig = config && JSON.parse(JSON.stringify({ includeThoughts: true, ...config }));
    expect(body.generationConfig).toEqual(thinkingConfig && { thinkingConfig });
    expect(lost).toEqual(isLost ? ['reasoning'] : []);
  });

  it('omits members that the target does not accept', () => {
    expect(write({ sampling: { seed: 1, topK: 2 } }, ['seed'])).toEqual({
      body: { contents: [], generationConfig: { topK: 2 } },
      lost: ['generationConfig.seed'],
    });
  });

  it('has a structured result unchanged, and any other as its output or its error', () => {
    const json = (value: Json): Part => ({ kind: 'tool-result', id: 'a', parts: [{ kind: 'json', value }] });
    const toResponse = (part: Part): unknown => {
      const contents = findContents([
        { role: 'assistant', parts: [call('a')] },
        { role: 'tool', parts: [part] },
      ]);
      return JSON.parse(JSON.stringify(contents)).at(1).parts.at(0).functionResponse.response;
    };
    expect(toResponse(json({ degrees: 21 }))).toEqual({ degrees: 21 });
    expect(toResponse(json({ output: 1 }))).toEqual({ output: { output: 1 } });
    expect(toResponse(json([1]))).toEqual({ output: [1] });
    expect(toResponse({ kind: 'tool-result', id: 'a', parts: [], failed: true })).toEqual({ error: [] });
    expect(toResponse({ kind: 'tool-result', id: 'a', failed: true, parts: [{ kind: 'text', text: 'No.' }] })).toEqual({
      error: 'No.',
    });
  });

  it('has media inside a result since Gemini 3, and after all results for earlier models', () => {
    const image: Part = {
      kind: 'tool-result',
      id: 'a',
      parts: [
        { kind: 'text', text: 'See:' },
        { kind: 'media', media: 'image', source: { kind: 'base64', mimeType: 'image/png', data: 'AAAA' } },
      ],
    };
    const turns: readonly Turn[] = [
      { role: 'assistant', parts: [call('a')] },
      { role: 'tool', parts: [image] },
    ];
    const inline = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    const functionResponse = { id: 'a', name: 'f', response: { output: 'See:' } };
    expect(findContents(turns, 'gemini-3-pro-preview')).toContainEqual({
      role: 'user',
      parts: [{ functionResponse: { ...functionResponse, parts: [inline] } }],
    });
    expect(findContents(turns, 'gemini-2.5-pro')).toEqual([
      { role: 'model', parts: [wireCall('a')] },
      { role: 'user', parts: [{ functionResponse }] },
      { role: 'user', parts: [inline] },
    ]);
  });

  it('has the results of a round in one content, in the order of their calls, whatever is said in between', () => {
    const turns: readonly Turn[] = [
      said('user', 'question'),
      { role: 'assistant', parts: [call('a'), call('b'), call('c')] },
      said('user', 'first'),
      { role: 'tool', parts: [result('c', '3')] },
      { role: 'user', parts: [result('b', '2'), { kind: 'text', text: 'second' }] },
      said('developer', 'third'),
      { role: 'tool', parts: [result('a', '1')] },
      said('assistant', 'answer'),
      said('user', 'question'),
    ];
    const wireResult = (id: string, output: string): JsonObject => ({
      functionResponse: { id, name: 'f', response: { output } },
    });
    const text = (role: string, words: string): JsonObject => ({ role, parts: [{ text: words }] });
    const { body, lost } = write({ turns });
    expect(body.contents).toEqual([
      text('user', 'question'),
      { role: 'model', parts: [wireCall('a'), wireCall('b'), wireCall('c')] },
      { role: 'user', parts: [wireResult('a', '1'), wireResult('b', '2'), wireResult('c', '3')] },
      ...['first', 'second', 'third'].map((words) => text('user', words)),
      text('model', 'answer'),
      text('user', 'question'),
    ]);
    expect(lost).toEqual(expect.arrayContaining(['turns[3]', 'turns[4]', 'turns[6]']));
  });

  it('has a placeholder name for the function of a result without a call', () => {
    expect(findContents([{ role: 'tool', parts: [result('x')] }])).toEqual([
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'x', name: 'unknown_function', response: { output: 'ok' } } }],
      },
    ]);
  });
});

describe('thought signatures', () => {
  const placeholder = 'skip_thought_signature_validator';
  const question = said('user', 'Hi');

  it('are sent back on the part that they came with', () => {
    expect(
      findContents([question, { role: 'assistant', parts: [own('s1', 'Hm.'), call('a'), call('b'), own('s2')] }]),
    ).toEqual([
      { role: 'user', parts: [{ text: 'Hi' }] },
      {
        role: 'model',
        parts: [
          { text: 'Hm.', thought: true },
          { ...wireCall('a'), thoughtSignature: 's1' },
          wireCall('b'),
          { text: '', thoughtSignature: 's2' },
        ],
      },
    ]);
  });

  it('of another service are dropped, together with the thoughts that they sign', () => {
    const foreign: Part = {
      kind: 'reasoning',
      text: 'Hm.',
      bound: { scope: 'there', kind: 'signature', value: 's' },
    };
    const { body, lost } = write({ turns: [{ role: 'assistant', parts: [foreign, { kind: 'text', text: 'A' }] }] });
    expect(body.contents).toEqual([{ role: 'model', parts: [{ text: 'A' }] }]);
    expect(lost).toEqual(['turns[0].parts[0].reasoning']);
  });

  it('survive the round trip through a client of another dialect', () => {
    const answer = {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'Hm.', thought: true },
              { ...wireCall('a'), thoughtSignature: 'c2ln' },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      modelVersion: 'gemini-3-pro-preview',
      responseId: 'r',
    };
    const options = { provider: 'test', strict: true, streamUsage: false };
    const shown = messagesCodec.encodeAnswer(geminiCodec.decodeAnswer(answer, here), options);
    const wire = {
      model: 'gemini-3-pro-preview',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: shown.content ?? [] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
      ],
    };
    const { contents } = requestVia(messagesCodec, geminiCodec, wire).body;
    expect(JSON.parse(JSON.stringify(contents)).at(1)).toEqual({
      role: 'model',
      parts: [
        { text: 'Hm.', thought: true },
        { ...wireCall('a'), thoughtSignature: 'c2ln' },
      ],
    });
  });

  const steps: readonly Turn[] = [
    { role: 'assistant', parts: [call('a'), call('b')] },
    { role: 'tool', parts: [result('a'), result('b')] },
    { role: 'assistant', parts: [{ kind: 'text', text: 'And' }, call('c')] },
    { role: 'tool', parts: [result('c')] },
  ];
  const signed = (contents: Json | undefined): unknown =>
    JSON.parse(JSON.stringify(contents)).flatMap(({ parts }: { parts: JsonObject[] }) =>
      parts.flatMap(({ functionCall, thoughtSignature }) => (functionCall ? [thoughtSignature ?? null] : [])),
    );

  it('have a placeholder on the first unsigned call of each step in the current turn', () => {
    expect(signed(findContents([question, ...steps], 'gemini-3-pro-preview'))).toEqual([
      placeholder,
      null,
      placeholder,
    ]);
    expect(signed(findContents(steps, 'gemini-3-pro-preview'))).toEqual([placeholder, null, placeholder]);
  });

  it('have placeholders even before a user message right after results, which may continue the turn', () => {
    const asking = [question, ...steps, question];
    expect(signed(findContents(asking, 'gemini-3-pro-preview'))).toEqual([placeholder, null, placeholder]);
  });

  it('have no placeholders in earlier turns, for models before Gemini 3, or in place of real ones', () => {
    const done = [question, ...steps, said('assistant', 'Done.'), question];
    expect(signed(findContents(done, 'gemini-3-pro-preview'))).toEqual([null, null, null]);
    expect(signed(findContents([question, ...steps], 'gemini-2.5-pro'))).toEqual([null, null, null]);
    const real: Turn = { role: 'assistant', parts: [own('s1'), call('a')] };
    expect(signed(findContents([question, real], 'gemini-3-pro-preview'))).toEqual(['s1']);
  });
});
