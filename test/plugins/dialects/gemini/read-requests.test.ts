import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { geminiCodec, here, messagesCodec, requestVia } from '../support/codecs.ts';

const read = (wire: JsonObject): Conversation =>
  geminiCodec.decodeRequest({ contents: [], ...wire }, { ...here, model: 'gemini-2.5-flash', stream: false });

const user = (...parts: readonly Json[]): JsonObject => ({ role: 'user', parts });
const model = (...parts: readonly Json[]): JsonObject => ({ role: 'model', parts });
const toParts = (...contents: readonly JsonObject[]): readonly unknown[] =>
  read({ contents }).turns.map(({ parts }) => parts);

describe('a request from a Gemini client', () => {
  it('takes its model and its stream flag from the path', () => {
    expect(read({})).toMatchObject({ model: 'gemini-2.5-flash', stream: false });
    const streamed = geminiCodec.decodeRequest({ contents: [] }, { ...here, model: 'm', stream: true });
    expect(streamed).toMatchObject({ model: 'm', stream: true, streamUsage: true });
  });

  it('may use camelCase or snake_case', () => {
    const camel = read({
      systemInstruction: { parts: [{ text: 'Be kind.' }] },
      contents: [user({ inlineData: { mimeType: 'image/png', data: 'AAAA' } })],
      tools: [{ functionDeclarations: [{ name: 'f' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      generationConfig: { topP: 0.5, maxOutputTokens: 9, thinkingConfig: { thinkingBudget: 0 } },
    });
    const snake = read({
      system_instruction: { parts: [{ text: 'Be kind.' }] },
      contents: [user({ inline_data: { mime_type: 'image/png', data: 'AAAA' } })],
      tools: [{ function_declarations: [{ name: 'f' }] }],
      tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['f'] } },
      generation_config: { top_p: 0.5, max_output_tokens: 9, thinking_config: { thinking_budget: 0 } },
    });
    expect(snake).toEqual(camel);
    expect(camel).toMatchObject({
      system: [{ kind: 'text', text: 'Be kind.' }],
      toolChoice: { mode: 'tool', name: 'f' },
      sampling: { topP: 0.5, maxTokens: 9 },
      reasoning: { kind: 'off' },
    });
  });

  it("may have a single object instead of a list, as in the vendor's examples", () => {
    const single = read({
      system_instruction: { parts: { text: 'You are a cat.' } },
      contents: { parts: { text: 'Hello there' } },
      tools: { function_declarations: { name: 'f' } },
    });
    expect(single).toMatchObject({
      system: [{ kind: 'text', text: 'You are a cat.' }],
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello there' }] }],
      tools: [{ kind: 'function', name: 'f' }],
    });
  });

  it('assigns ids to calls without one, and matches results to them by name and order', () => {
    const call = (city: string): JsonObject => ({ functionCall: { name: 'weather', args: { city } } });
    const result = (output: string): JsonObject => ({ functionResponse: { name: 'weather', response: { output } } });
    const { turns } = read({
      contents: [user({ text: 'Hi' }), model(call('Lyon'), call('Nice')), user(result('sun'), result('rain'))],
    });
    expect(turns[1]?.parts).toMatchObject([{ id: 'gw-call-0' }, { id: 'gw-call-1' }]);
    expect(turns[2]).toEqual({
      role: 'tool',
      parts: [
        { kind: 'tool-result', id: 'gw-call-0', parts: [{ kind: 'text', text: 'sun' }] },
        { kind: 'tool-result', id: 'gw-call-1', parts: [{ kind: 'text', text: 'rain' }] },
      ],
    });
  });

  it('matches a result without an id to a call with the same name', () => {
    const calls = model({ functionCall: { name: 'time' } }, { functionCall: { name: 'weather' } });
    const results = user(
      { functionResponse: { name: 'weather', response: { output: 'sun' } } },
      { functionResponse: { name: 'time', response: { output: 'noon' } } },
    );
    expect(toParts(calls, results)[1]).toMatchObject([{ id: 'gw-call-1' }, { id: 'gw-call-0' }]);
  });

  it('keeps the texts of one content separate', () => {
    expect(toParts(model({ text: 'A' }, { text: 'B' }))).toEqual([
      [
        { kind: 'text', text: 'A' },
        { kind: 'text', text: 'B' },
      ],
    ]);
  });

  it('keeps ids, and matches a result to its call by id', () => {
    const { turns } = read({
      contents: [
        model({ functionCall: { id: 'a', name: 'f' } }, { functionCall: { id: 'b', name: 'f' } }),
        { role: 'function', parts: [{ functionResponse: { id: 'b', name: 'f', response: { error: 'No.' } } }] },
      ],
    });
    expect(turns[1]?.parts).toEqual([
      { kind: 'tool-result', id: 'b', parts: [{ kind: 'text', text: 'No.' }], failed: true },
    ]);
  });

  it('has structured results as JSON, next to their media', () => {
    const response = { degrees: 21, sky: ['blue'] };
    const parts = [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }];
    expect(toParts(user({ functionResponse: { name: 'f', response, parts } }))).toEqual([
      [
        {
          kind: 'tool-result',
          id: 'gw-call-0',
          name: 'f',
          parts: [
            { kind: 'json', value: response },
            { kind: 'media', media: 'image', source: { kind: 'base64', mimeType: 'image/png', data: 'AAAA' } },
          ],
        },
      ],
    ]);
  });

  it('has files by URI, of the kind that the media type, the name or the host indicates', () => {
    const file = (fileUri: string, mimeType?: string): JsonObject => ({
      fileData: { fileUri, ...(mimeType === undefined ? {} : { mimeType }) },
    });
    const kinds = read({
      contents: [
        user(
          file('gs://b/a', 'image/webp'),
          file('https://a.example/b.MP3?x=1'),
          file('https://www.youtube.com/watch?v=1'),
          file('https://a.example/b'),
        ),
      ],
    }).turns[0]?.parts;
    expect(kinds).toMatchObject([{ media: 'image' }, { media: 'audio' }, { media: 'video' }, { media: 'document' }]);
  });

  it('has a signature as reasoning before its part, joined with the thought right before it', () => {
    const bound = { scope: 'here', kind: 'thought', value: 'c2ln' };
    expect(
      toParts(
        model({ text: 'Hm.', thought: true }, { functionCall: { id: 'a', name: 'f' }, thoughtSignature: 'c2ln' }),
        user({ text: 'Go on' }),
        model({ text: 'Well.', thoughtSignature: 'c2ln' }),
      ),
    ).toEqual([
      [
        { kind: 'reasoning', text: 'Hm.', bound },
        { kind: 'tool-call', id: 'a', name: 'f', arguments: '{}' },
      ],
      [{ kind: 'text', text: 'Go on' }],
      [
        { kind: 'reasoning', text: '', bound },
        { kind: 'text', text: 'Well.' },
      ],
    ]);
  });

  it('has signatures of another service with the scope of that service, in base64 or not', () => {
    const tagged = Buffer.from('encrypted.gw1.elsewhere.c2ln').toString('base64');
    const bound = { scope: 'elsewhere', value: 'c2ln' };
    for (const thoughtSignature of [tagged, 'gw1.elsewhere.c2ln'])
      expect(toParts(model({ text: 'A', thoughtSignature }))).toMatchObject([[{ bound }, { text: 'A' }]]);
  });

  it.each(['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'])(
    'has no reasoning for the placeholder %s',
    (thoughtSignature) => {
      const call = { functionCall: { id: 'a', name: 'f', args: {} }, thoughtSignature };
      expect(toParts(model(call))).toMatchObject([[{ kind: 'tool-call' }]]);
    },
  );

  it('joins texts and thoughts if each frame of a stream is sent back as a content', () => {
    const frames = [
      model({ text: 'Two ', thought: true }),
      model({ text: 'calls.', thought: true }),
      model({ text: 'Check', thoughtSignature: 'c2ln' }),
      model({ text: 'ing.' }),
      model({ text: '' }),
    ];
    expect(toParts(user({ text: 'Hi' }), ...frames)).toMatchObject([
      [{ text: 'Hi' }],
      [
        { kind: 'reasoning', text: 'Two calls.', bound: { value: 'c2ln' } },
        { kind: 'text', text: 'Checking.' },
      ],
    ]);
  });

  it("has the provider's own tools, their calls and their results as parts that others can read", () => {
    const code = { executableCode: { language: 'PYTHON', code: 'print(1)' } };
    const output = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } };
    const search = { toolCall: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['x'] } } };
    const found = { toolResponse: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', response: { found: 1 } } };
    expect(toParts(model(code, output, search, found))).toEqual([
      [
        {
          kind: 'server-tool-call',
          id: 'gw-server-call-0',
          name: 'code_execution',
          arguments: '{"language":"PYTHON","code":"print(1)"}',
          dialect: 'gemini',
          value: code,
        },
        { kind: 'server-tool-result', id: 'gw-server-call-0', text: '1\n', dialect: 'gemini', value: output },
        {
          kind: 'server-tool-call',
          id: 's',
          name: 'google_search_web',
          arguments: '{"queries":["x"]}',
          dialect: 'gemini',
          value: search,
        },
        { kind: 'server-tool-result', id: 's', text: '{"found":1}', dialect: 'gemini', value: found },
      ],
    ]);
    expect(read({ tools: [{ functionDeclarations: [{ name: 'f' }], googleSearch: {} }] }).tools).toEqual([
      { kind: 'function', name: 'f' },
      { kind: 'other', dialect: 'gemini', value: { googleSearch: {} } },
    ]);
  });

  it('has OpenAPI schemas as JSON Schemas', () => {
    const parameters = {
      type: 'OBJECT',
      properties: {
        day: { type: 'STRING', nullable: true, format: 'enum', enum: ['MON'], example: 'MON' },
        type: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1', max_items: 2 },
        either: { any_of: [{ type: 'NUMBER' }, { type: 'BOOLEAN' }] },
      },
      required: ['day'],
    };
    const { tools } = read({ tools: [{ functionDeclarations: [{ name: 'f', parameters }] }] });
    expect(tools).toEqual([
      {
        kind: 'function',
        name: 'f',
        parameters: {
          type: 'object',
          properties: {
            day: { type: ['string', 'null'], enum: ['MON'], examples: ['MON'] },
            type: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 },
            either: { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
          },
          required: ['day'],
        },
      },
    ]);
  });

  it.each<[JsonObject, Conversation['toolChoice'], JsonObject?]>([
    [{ mode: 'AUTO' }, { mode: 'auto' }],
    [{ mode: 'NONE' }, { mode: 'none' }],
    [{ mode: 'ANY' }, { mode: 'required' }],
    [
      { mode: 'ANY', allowedFunctionNames: ['f', 'g'] },
      { mode: 'required', allowed: ['f', 'g'] },
    ],
    [
      { mode: 'VALIDATED', allowedFunctionNames: ['f'] },
      { mode: 'auto', allowed: ['f'] },
    ],
    [{ mode: 'VALIDATED' }, { mode: 'auto' }, { mode: 'VALIDATED' }],
    [{ mode: 'MODE_UNSPECIFIED' }, undefined],
  ])('has the tool choice that %j specifies', (functionCallingConfig, choice, special) => {
    const { toolChoice, extensions } = read({ toolConfig: { functionCallingConfig } });
    expect(toolChoice).toEqual(choice);
    const kept = special && { gemini: { toolConfig: { functionCallingConfig: special } } };
    expect(extensions).toEqual(kept ?? {});
  });

  it.each<[JsonObject, Conversation['reasoning']]>([
    [{ thinkingLevel: 'LOW' }, { kind: 'effort', effort: 'low' }],
    [{ thinkingBudget: 2048 }, { kind: 'budget', tokens: 2048 }],
    [{ thinkingBudget: 0 }, { kind: 'off' }],
    [{ thinkingBudget: -1 }, { kind: 'adaptive' }],
    [{ includeThoughts: true }, { kind: 'adaptive' }],
    [{ includeThoughts: false }, undefined],
  ])('has the reasoning that %j specifies', (thinkingConfig, reasoning) => {
    expect(read({ generationConfig: { thinkingConfig } }).reasoning).toEqual(reasoning);
  });

  it.each<[JsonObject, Conversation['answerFormat']]>([
    [{ responseMimeType: 'text/plain' }, { kind: 'text' }],
    [{ responseMimeType: 'application/json' }, { kind: 'json' }],
    [
      { responseMimeType: 'application/json', responseSchema: { type: 'STRING' } },
      { kind: 'schema', schema: { type: 'string' } },
    ],
    [
      { responseMimeType: 'application/json', responseJsonSchema: { type: 'string' } },
      { kind: 'schema', schema: { type: 'string' } },
    ],
  ])('has the answer format that %j specifies', (generationConfig, answerFormat) => {
    expect(read({ generationConfig })).toMatchObject({ answerFormat, extensions: {} });
  });

  it('keeps members that no other format has', () => {
    const wire = {
      contents: [user({ text: 'Hi' })],
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      cachedContent: 'cachedContents/1',
      labels: { team: 'a' },
      toolConfig: { retrievalConfig: { languageCode: 'fr' } },
      generationConfig: {
        responseMimeType: 'text/x.enum',
        responseSchema: { type: 'STRING', enum: ['A'] },
        speechConfig: { languageCode: 'fr' },
        mediaResolution: 'MEDIA_RESOLUTION_LOW',
        thinkingConfig: { includeThoughts: false },
      },
    };
    expect(read(wire).extensions).toEqual({ gemini: { ...wire, contents: undefined } });
    expect(requestVia(geminiCodec, geminiCodec, wire)).toEqual({ body: wire, lost: [] });
    expect(requestVia(geminiCodec, messagesCodec, wire).lost).toContain('extensions.gemini.safetySettings');
  });

  it('has log probabilities, modalities and the service tier', () => {
    const generationConfig = { responseLogprobs: true, logprobs: 3, responseModalities: ['TEXT', 'IMAGE'] };
    expect(read({ generationConfig, serviceTier: 'standard' })).toMatchObject({
      logprobs: { top: 3 },
      modalities: ['text', 'image'],
      serviceTier: 'default',
    });
  });

  it.each<[JsonObject, string]>([
    [{ contents: 'Hi' }, 'contents must be a list.'],
    [{ contents: [{ role: 'assistant', parts: [] }] }, 'contents[0].role must be "user" or "model".'],
    [{ contents: [user({ text: 1 })] }, 'contents[0].parts[0].text must be a string.'],
    [
      { contents: [user({ function_call: { args: {} } })] },
      'contents[0].parts[0].function_call.name must be a string.',
    ],
    [{ generationConfig: { max_output_tokens: 'many' } }, 'generationConfig.max_output_tokens must be a number.'],
    [
      { toolConfig: { functionCallingConfig: { mode: 'SOME' } } },
      'toolConfig.functionCallingConfig.mode must be "AUTO", "ANY", "NONE" or "VALIDATED".',
    ],
  ])('is rejected if it is invalid: %j', (wire, reason) => {
    expect(() => read(wire)).toThrow(GatewayError);
    expect(() => read(wire)).toThrow(reason);
  });
});
