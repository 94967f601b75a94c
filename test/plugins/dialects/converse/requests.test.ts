import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { chatCodec, converseCodec, here, messagesCodec, requestVia } from '../support/codecs.ts';

const claude = 'us.anthropic.claude-opus-4-6-v1';
const user = (content: Json): JsonObject => ({ role: 'user', content });

const fromChat = (wire: JsonObject): ReturnType<typeof requestVia> =>
  requestVia(chatCodec, converseCodec, { model: claude, messages: [user('Hi')], ...wire });
const fromMessages = (wire: JsonObject): ReturnType<typeof requestVia> =>
  requestVia(messagesCodec, converseCodec, { model: claude, messages: [user('Hi')], ...wire });

const read = (wire: JsonObject, model: string = claude, stream?: boolean): Conversation =>
  converseCodec.decodeRequest(wire, { ...here, model, ...(stream === undefined ? {} : { stream }) });

const hi = user([{ text: 'Hi' }]);

describe('a chat request to Bedrock', () => {
  it('has neither a model nor a stream flag in its body', () => {
    const { body, lost } = fromChat({
      messages: [{ role: 'system', content: 'Be kind.' }, user('Hi')],
      max_tokens: 9,
      temperature: 0.5,
      stop: 'END',
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(body).toEqual({
      system: [{ text: 'Be kind.' }],
      messages: [hi],
      inferenceConfig: { maxTokens: 9, temperature: 0.5, stopSequences: ['END'] },
    });
    expect(lost).toEqual([]);
  });

  it("keeps members of Bedrock's own API in either spelling", () => {
    const guardrailConfig = { guardrailIdentifier: 'g', guardrailVersion: '1' };
    const expected = {
      guardrailConfig,
      performanceConfig: { latency: 'optimized' },
      additionalModelRequestFields: { top_k: 5, speed: 'fast' },
      additionalModelResponseFieldPaths: ['/stop_sequence'],
    };
    for (const wire of [
      expected,
      {
        guardrail_config: guardrailConfig,
        performance_config: { latency: 'optimized' },
        additional_model_request_fields: { speed: 'fast' },
        additional_model_response_field_paths: ['/stop_sequence'],
      },
    ]) {
      const { body, lost } = fromChat({ max_tokens: 9, top_k: 5, ...wire });
      expect(body).toMatchObject(expected);
      expect(lost).toEqual([]);
    }
    expect(fromMessages({ max_tokens: 9, guardrailConfig }).body).toMatchObject({ guardrailConfig });
  });

  it('is rejected if two spellings of a member differ, because a client could undo a config override', () => {
    const wire = { guardrailConfig: { guardrailIdentifier: 'a' }, guardrail_config: { guardrailIdentifier: 'b' } };
    expect(() => fromChat({ max_tokens: 9, ...wire })).toThrow('guardrail_config differs from guardrailConfig');
    expect(fromChat({ max_tokens: 9, ...wire, guardrailConfig: wire.guardrail_config }).lost).toEqual([]);
  });

  it("has Claude's betas and version only for Claude models", () => {
    const wire = { max_tokens: 9, anthropic_beta: 'one, two', anthropic_version: 'v' };
    const { body, lost } = fromChat(wire);
    expect(body.additionalModelRequestFields).toEqual({ anthropic_beta: ['one', 'two'], anthropic_version: 'v' });
    expect(lost).toEqual([]);
    const nova = requestVia(chatCodec, converseCodec, {
      model: 'amazon.nova-pro-v1:0',
      messages: [user('Hi')],
      ...wire,
    });
    expect(nova.body.additionalModelRequestFields).toBeUndefined();
    expect(nova.lost).toEqual(['extensions.chat.anthropic_beta', 'extensions.chat.anthropic_version']);
  });

  it('has tools, calls, and results at the start of the next message', () => {
    const call = (id: string): JsonObject => ({
      id,
      type: 'function',
      function: { name: 'weather', arguments: '{"n":1}' },
    });
    const parameters = { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false };
    const { body, lost } = fromChat({
      messages: [
        user('Weather?'),
        { role: 'assistant', content: 'Looking.', tool_calls: [call('a'), call('b')] },
        { role: 'tool', tool_call_id: 'a', content: 'sun' },
        { role: 'tool', tool_call_id: 'b', content: '' },
        user('So?'),
      ],
      tools: [{ type: 'function', function: { name: 'weather', description: 'W', parameters, strict: true } }],
      tool_choice: 'required',
    });
    expect(body.messages).toEqual([
      user([{ text: 'Weather?' }]),
      {
        role: 'assistant',
        content: [
          { text: 'Looking.' },
          { toolUse: { toolUseId: 'a', name: 'weather', input: { n: 1 } } },
          { toolUse: { toolUseId: 'b', name: 'weather', input: { n: 1 } } },
        ],
      },
      user([
        { toolResult: { toolUseId: 'a', content: [{ text: 'sun' }] } },
        { toolResult: { toolUseId: 'b', content: [] } },
        { text: 'So?' },
      ]),
    ]);
    expect(body.toolConfig).toEqual({
      tools: [{ toolSpec: { name: 'weather', description: 'W', inputSchema: { json: parameters }, strict: true } }],
      toolChoice: { any: {} },
    });
    expect(lost.filter((path) => path.startsWith('tool'))).toEqual([]);
  });

  it('declares the tools that were called before, because the API then requires tools', () => {
    const call = { id: 'a', type: 'function', function: { name: 'weather', arguments: '{}' } };
    const { body, lost } = fromChat({
      messages: [
        user('x'),
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content: 'y' },
      ],
    });
    expect(body.toolConfig).toEqual({
      tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object', properties: {} } } } }],
    });
    expect(lost).toContain('tools');
  });

  it('omits tools that may not be called', () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
    const { body, lost } = fromChat({ tools, tool_choice: 'none' });
    expect(body).not.toHaveProperty('toolConfig');
    expect(lost).toEqual(expect.arrayContaining(['tools', 'toolChoice']));
  });

  it('has media as bytes, and document names that the API accepts', () => {
    const pdf = (filename: string): JsonObject => ({
      type: 'file',
      file: { filename, file_data: 'data:application/pdf;base64,BBBB' },
    });
    const { body, lost } = fromChat({
      max_tokens: 9,
      messages: [
        user([
          { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AAAA' } },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
          { type: 'image_url', image_url: { url: 'data:image/tiff;base64,AAAA' } },
          pdf('a  (1).pdf'),
          pdf('a (1).pdf'),
          pdf('Ünïcode'),
        ]),
      ],
    });
    const document = (name: string): JsonObject => ({ document: { format: 'pdf', name, source: { bytes: 'BBBB' } } });
    expect(body.messages).toEqual([
      user([
        { image: { format: 'jpeg', source: { bytes: 'AAAA' } } },
        document('a (1)-pdf'),
        document('a (1)-pdf (2)'),
        document('-n-code'),
        { text: 'See the document.' },
      ]),
    ]);
    expect(lost).toEqual([
      'turns[0].parts[1].media',
      'turns[0].parts[2].media',
      ...[3, 4, 5].map((index) => `turns[0].parts[${index}].name`),
      'turns.documents',
    ]);
  });

  it('omits blank texts and turns that contain nothing else', () => {
    const { body, lost } = fromChat({
      messages: [
        user('a'),
        { role: 'assistant', content: ' \n' },
        user([
          { type: 'text', text: '\t' },
          { type: 'text', text: 'b' },
        ]),
      ],
    });
    expect(body.messages).toEqual([user([{ text: 'a' }, { text: 'b' }])]);
    expect(lost).toEqual(
      expect.arrayContaining(['turns[1].parts[0].text', 'turns[1]', 'turns[2].parts[0].text', 'turns[2]']),
    );
  });

  it('has its answer schema as JSON text', () => {
    const schema = { type: 'object', additionalProperties: false };
    const json_schema = { name: 'city', description: 'A city.', schema, strict: true };
    const { body, lost } = fromChat({ max_tokens: 9, response_format: { type: 'json_schema', json_schema } });
    expect(body.outputConfig).toEqual({
      textFormat: {
        type: 'json_schema',
        structure: { jsonSchema: { schema: JSON.stringify(schema), name: 'city', description: 'A city.' } },
      },
    });
    expect(lost).toEqual(['answerFormat.strict']);
  });
});

describe('the model-specific fields and limits', () => {
  it.each<[string, JsonObject, JsonObject | undefined]>([
    [claude, { reasoning_effort: 'high' }, { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    [claude, { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    [
      'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
      { reasoning_effort: 'low' },
      { thinking: { type: 'enabled', budget_tokens: 1024 } },
    ],
    [claude, { user: 'u-1' }, { metadata: { user_id: 'u-1' } }],
    ['openai.gpt-oss-120b-1:0', { user: 'u-1' }, undefined],
    ['openai.gpt-oss-120b-1:0', { reasoning_effort: 'high' }, { reasoning_effort: 'high' }],
    [
      'openai.gpt-oss-120b-1:0',
      { response_format: { type: 'json_object' } },
      { response_format: { type: 'json_object' } },
    ],
    [claude, { response_format: { type: 'json_object' } }, undefined],
    [
      'global.amazon.nova-2-lite-v1:0',
      { reasoning_effort: 'max' },
      { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } },
    ],
    ['amazon.nova-2-lite-v1:0', { reasoning_effort: 'none' }, { reasoningConfig: { type: 'disabled' } }],
    ['meta.llama3-3-70b-instruct-v1:0', { reasoning_effort: 'high' }, undefined],
    ['us.openai.gpt-5.4-v1:0', { reasoning_effort: 'high' }, { reasoning: { effort: 'high' } }],
    ['amazon.nova-pro-v1:0', { reasoning_effort: 'low' }, undefined],
    ['us.amazon.nova-premier-v1:0', { reasoning_effort: 'none' }, undefined],
  ])('of %s for %j are %j', (model, wire, expected) => {
    expect(fromChat({ model, ...wire }).body.additionalModelRequestFields).toEqual(expected);
  });

  it.each<[string, JsonObject | undefined]>([
    [claude, { top_k: 5 }],
    ['amazon.nova-pro-v1:0', { inferenceConfig: { topK: 5 } }],
    ['cohere.command-r-v1:0', { k: 5 }],
    ['arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc', { top_k: 5 }],
    ['meta.llama3-3-70b-instruct-v1:0', undefined],
  ])('of %s have top_k as %j', (model, expected) => {
    const { body, lost } = fromMessages({ model, max_tokens: 9, top_k: 5 });
    expect(body.additionalModelRequestFields).toEqual(expected);
    expect(lost.includes('sampling.topK')).toBe(expected === undefined);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    [claude, { maxTokens: 9, temperature: 1 }, ['sampling.temperature', 'sampling.topP']],
    ['amazon.nova-pro-v1:0', { maxTokens: 9, temperature: 1, topP: 0.5 }, ['sampling.temperature']],
    ['openai.gpt-5.4-v1:0', { maxTokens: 9 }, ['sampling.temperature', 'sampling.topP']],
  ])('of %s limit its sampling to %j', (model, expected, lost) => {
    const request = fromChat({ model, max_tokens: 9, temperature: 1.5, top_p: 0.5 });
    expect(request.body.inferenceConfig).toEqual(expected);
    expect(request.lost).toEqual(lost);
  });

  it.each<[string, JsonObject | undefined, readonly string[]]>([
    ['medium', { maxTokens: 9, temperature: 1, topP: 0.5, stopSequences: ['x'] }, []],
    [
      'high',
      { stopSequences: ['x'] },
      ['sampling.maxTokens', 'sampling.temperature', 'sampling.topP', 'sampling.topK'],
    ],
  ])('of Nova have only settings that it accepts at the effort %s', (effort, inferenceConfig, refused) => {
    const { body, lost } = fromMessages({
      model: 'us.amazon.nova-2-lite-v1:0',
      max_tokens: 9,
      temperature: 1,
      top_p: 0.5,
      top_k: 5,
      stop_sequences: ['x'],
      output_config: { effort },
    });
    expect(body.inferenceConfig).toEqual(inferenceConfig);
    expect(body.additionalModelRequestFields).toEqual({
      ...(effort === 'high' ? {} : { inferenceConfig: { topK: 5 } }),
      reasoningConfig: { type: 'enabled', maxReasoningEffort: effort },
    });
    expect(lost).toEqual(refused);
  });

  it.each(['openai.gpt-oss-120b-1:0', 'openai.gpt-5.4-v1:0'])(
    'of %s have no stop sequences, which it rejects',
    (model) => {
      const { body, lost } = fromChat({ model, max_tokens: 9, stop: 'END' });
      expect(body.inferenceConfig).toEqual({ maxTokens: 9 });
      expect(lost).toEqual(['sampling.stop']);
    },
  );

  it('raise a negative temperature to 0', () => {
    const { body, lost } = fromChat({ model: 'amazon.nova-pro-v1:0', max_tokens: 9, temperature: -1 });
    expect([body.inferenceConfig, lost]).toEqual([{ maxTokens: 9, temperature: 0 }, ['sampling.temperature']]);
  });
});

describe('a messages request to Bedrock', () => {
  it('has cache points after cached content for models that accept them', () => {
    const cache_control = { type: 'ephemeral', ttl: '1h' };
    const wire = {
      max_tokens: 9,
      system: [{ type: 'text', text: 'S', cache_control }],
      tools: [{ name: 'f', input_schema: { type: 'object' }, cache_control }],
      messages: [
        user([
          { type: 'text', text: 'Long', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'x' },
        ]),
      ],
    };
    const point = { cachePoint: { type: 'default', ttl: '1h' } };
    const tool = { toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } };
    expect(fromMessages(wire).body).toMatchObject({
      system: [{ text: 'S' }, point],
      toolConfig: { tools: [tool, point] },
      messages: [user([{ text: 'Long' }, { cachePoint: { type: 'default' } }, { text: 'x' }])],
    });
    const nova = fromMessages({ model: 'amazon.nova-pro-v1:0', ...wire });
    expect(nova.body).toMatchObject({ system: [{ text: 'S' }, point], toolConfig: { tools: [tool] } });
    expect(nova.lost).toEqual(['tools[0].cache']);
    expect(fromMessages({ model: 'meta.llama4-scout-17b-instruct-v1:0', ...wire }).lost).toEqual([
      'system[0].cache',
      'turns[0].parts[0].cache',
      'tools[0].cache',
    ]);
  });

  it('sends back thinking that this target signed, and reports that a tool failed', () => {
    const { body, lost } = fromMessages({
      max_tokens: 9,
      messages: [
        user('x'),
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 'gw1.here.sig' },
            { type: 'redacted_thinking', data: 'eHg=' },
            { type: 'thinking', thinking: 'Not ours', signature: 'gw1.there.sig' },
            { type: 'tool_use', id: 'a', name: 'f', input: {} },
          ],
        },
        user([{ type: 'tool_result', tool_use_id: 'a', is_error: true }]),
      ],
    });
    expect(body.messages).toEqual([
      user([{ text: 'x' }]),
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'Hm', signature: 'sig' } } },
          { reasoningContent: { redactedContent: 'eHg=' } },
          { toolUse: { toolUseId: 'a', name: 'f', input: {} } },
        ],
      },
      user([{ toolResult: { toolUseId: 'a', content: [{ text: 'The tool failed.' }], status: 'error' } }]),
    ]);
    expect(lost).toEqual(expect.arrayContaining(['turns[1].parts[2].reasoning', 'turns[2].parts[0].parts']));
  });
});

describe('a request from a Bedrock client', () => {
  it('takes its model and its stream flag from the path', () => {
    const model = 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-4-6-v1';
    expect(read({ messages: [hi] }, model, true)).toMatchObject({ model, stream: true, streamUsage: true });
    expect(read({ messages: [hi] }, model)).toMatchObject({ model, stream: false });
  });

  it('is read with all its content', () => {
    const content: Json = [
      { text: 'a' },
      { cachePoint: { type: 'default', ttl: '1h' } },
      { image: { format: 'png', source: { bytes: 'AAAA' } } },
      { image: { format: 'png', source: { s3Location: { uri: 's3://b/c.png' } } } },
      { video: { format: 'three_gp', source: { bytes: 'AAAA' } } },
      { audio: { format: 'mp3', source: { bytes: 'AAAA' } } },
      { document: { name: 'N', format: 'md', source: { text: '# é' } } },
      { document: { name: 'C', source: { content: [{ text: 'one' }, { text: 'two' }] } } },
      { guardContent: { text: { text: 'guarded', qualifiers: ['guard_content'] } } },
      { video: { format: 'mp4', source: { s3Location: { uri: 's3://b/c.mp4', bucketOwner: '1' } } } },
      { searchResult: { source: 's', title: 't', content: [{ text: 'x' }] } },
    ];
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const data = (mimeType: string, of: string): object => ({ kind: 'base64', mimeType, data: of });
    expect(read({ messages: [user(content)] }).turns[0]?.parts).toEqual([
      { kind: 'text', text: 'a', cache: { ttl: '1h' } },
      { kind: 'media', media: 'image', source: data('image/png', 'AAAA') },
      { kind: 'media', media: 'image', source: { kind: 'url', url: 's3://b/c.png' } },
      { kind: 'media', media: 'video', source: data('video/3gpp', 'AAAA') },
      { kind: 'media', media: 'audio', source: data('audio/mpeg', 'AAAA') },
      { kind: 'media', media: 'document', name: 'N', source: data('text/markdown', base64('# é')) },
      { kind: 'media', media: 'document', name: 'C', source: data('text/plain', base64('one\ntwo')) },
      { kind: 'text', text: 'guarded' },
      { kind: 'other', dialect: 'converse', value: content[9] },
      { kind: 'other', dialect: 'converse', value: content[10] },
    ]);
  });

  it("is read with the model's reasoning and citations, and with tool results", () => {
    const tagged = Buffer.from('gw1.there.secret').toString('base64');
    const assistant = {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'Hm', signature: 'sig' } } },
        { reasoningContent: { redactedContent: 'eHg=' } },
        { reasoningContent: { redactedContent: tagged } },
        {
          citationsContent: {
            content: [{ text: 'It ' }, { text: 'rains.' }],
            citations: [{ title: 'T', source: 's' }],
          },
        },
        { toolUse: { toolUseId: 'a', name: 'f', input: { x: 1 } } },
      ],
    };
    const result = { toolUseId: 'a', status: 'error', content: [{ json: { y: 2 } }, { text: 't' }] };
    const { turns } = read({ messages: [hi, assistant, user([{ toolResult: result }, { text: 'So?' }])] });
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(turns[1]?.parts).toEqual([
      { kind: 'reasoning', text: 'Hm', bound: { scope: 'here', kind: 'signature', value: 'sig' } },
      { kind: 'reasoning', text: '', bound: { scope: 'here', kind: 'encrypted', value: 'eHg=' } },
      { kind: 'reasoning', text: '', bound: { scope: 'there', kind: 'encrypted', value: 'secret' } },
      { kind: 'text', text: 'It rains.', citations: [{ title: 'T', source: 's' }] },
      { kind: 'tool-call', id: 'a', name: 'f', arguments: '{"x":1}' },
    ]);
    expect(turns[2]?.parts).toEqual([
      {
        kind: 'tool-result',
        id: 'a',
        failed: true,
        parts: [
          { kind: 'json', value: { y: 2 } },
          { kind: 'text', text: 't' },
        ],
      },
    ]);
  });

  it('has the model-specific fields that its client set, whichever model is called', () => {
    const fields = { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2000 } } };
    expect(read({ messages: [hi], ...fields }, 'gemini-3-pro-preview')).toMatchObject({
      model: 'gemini-3-pro-preview',
      reasoning: { kind: 'budget', tokens: 2000 },
      extensions: {},
    });
  });

  it('keeps members that only its format has next to common ones', () => {
    const wire: JsonObject = {
      messages: [hi],
      inferenceConfig: { maxTokens: 5000 },
      guardrailConfig: { guardrailIdentifier: 'g', guardrailVersion: '1' },
      performanceConfig: { latency: 'optimized' },
      requestMetadata: { team: 'a' },
      serviceTier: { type: 'flex' },
      outputConfig: { effort: 'low' },
      toolConfig: { tools: [{ systemTool: { name: 'nova_grounding' } }], toolChoice: { auto: {} } },
      additionalModelRequestFields: {
        thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' },
        metadata: { user_id: 'u', more: 1 },
        anthropic_beta: ['x'],
      },
    };
    const conversation = read(wire);
    expect(conversation).toMatchObject({
      sampling: { maxTokens: 5000 },
      reasoning: { kind: 'budget', tokens: 2000 },
      user: 'u',
      serviceTier: 'flex',
      tools: [{ kind: 'other', dialect: 'converse' }],
      extensions: { converse: { additionalModelRequestFields: { metadata: { more: 1 }, anthropic_beta: ['x'] } } },
    });
    const target = { provider: 'p', strict: true, drop: new Set<string>(), scope: 'here' };
    expect(converseCodec.encodeRequest(conversation, target)).toEqual({ body: wire, lost: [] });
  });

  it.each<[JsonObject, string]>([
    [{ messages: {} }, 'messages must be a list'],
    [{ messages: [{ role: 'tool', content: [] }] }, 'messages[0].role must be "user", "assistant" or "system"'],
    [{ messages: [user([{ text: 7 }])] }, 'messages[0].content[0].text must be a string'],
    [{ messages: [user([{ toolUse: { name: 'f' } }])] }, 'messages[0].content[0].toolUse.toolUseId must be a string'],
    [
      { messages: [user([{ image: { format: 'png' } }])] },
      'messages[0].content[0].image must be an object with a source',
    ],
    [{ inferenceConfig: { maxTokens: '9' } }, 'inferenceConfig.maxTokens must be a number'],
    [{ toolConfig: { toolChoice: { none: {} } } }, 'toolConfig.toolChoice must have "auto", "any" or "tool"'],
    [
      { outputConfig: { textFormat: { structure: { jsonSchema: { schema: '{' } } } } },
      'outputConfig.textFormat.structure.jsonSchema.schema must be a JSON object as text',
    ],
  ])('with %j is rejected: %s', (wire, reason) => {
    expect(() => read(wire)).toThrow(reason);
  });
});

describe('model-specific fields in a request from a Bedrock client', () => {
  const schema: JsonObject = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };

  it.each<[JsonObject, Partial<Conversation>]>([
    [{ thinking: { type: 'enabled', budget_tokens: 2000 } }, { reasoning: { kind: 'budget', tokens: 2000 } }],
    [
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
      { reasoning: { kind: 'effort', effort: 'low' } },
    ],
    [
      { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } },
      { reasoning: { kind: 'effort', effort: 'low' } },
    ],
    [{ reasoning_effort: 'low' }, { reasoning: { kind: 'effort', effort: 'low' } }],
    [{ reasoning: { effort: 'low' } }, { reasoning: { kind: 'effort', effort: 'low' } }],
    [{ top_k: 7 }, { sampling: { topK: 7 } }],
    [{ inferenceConfig: { topK: 7 } }, { sampling: { topK: 7 } }],
    [{ k: 7 }, { sampling: { topK: 7 } }],
    [{ metadata: { user_id: 'u' } }, { user: 'u' }],
    [{ response_format: { type: 'json_object' } }, { answerFormat: { kind: 'json' } }],
    [{ output_config: { format: { type: 'json_schema', schema } } }, { answerFormat: { kind: 'schema', schema } }],
  ])('are read the same way for every model: %j', (fields, expected) => {
    for (const model of [claude, 'gpt-5-mini', 'us.amazon.nova-2-lite-v1:0']) {
      const conversation = read({ messages: [hi], additionalModelRequestFields: fields }, model);
      expect(conversation).toMatchObject(expected);
      expect(conversation.extensions).toEqual({});
    }
  });

  it('keep what a conversation cannot express', () => {
    const fields = { thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' }, safety: 1 };
    const { reasoning, extensions } = read({ messages: [hi], additionalModelRequestFields: fields }, 'gpt-5-mini');
    expect(reasoning).toEqual({ kind: 'budget', tokens: 2000 });
    expect(extensions).toEqual({ converse: { additionalModelRequestFields: fields } });
  });

  it('may contain an answer schema, which is written as the answer format', () => {
    const fields = { output_config: { effort: 'low', format: { type: 'json_schema', schema } } };
    const conversation = read({
      messages: [hi],
      inferenceConfig: { maxTokens: 9 },
      additionalModelRequestFields: fields,
    });
    const target = { provider: 'p', strict: true, drop: new Set<string>(), scope: 'here' };
    const { body, lost } = converseCodec.encodeRequest(conversation, target);
    expect(lost).toEqual([]);
    expect(body).toMatchObject({
      outputConfig: { textFormat: { structure: { jsonSchema: { schema: JSON.stringify(schema) } } } },
      additionalModelRequestFields: { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    });
  });
});
