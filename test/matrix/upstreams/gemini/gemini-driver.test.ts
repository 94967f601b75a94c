import { type GenerateContentResponse, GoogleGenAI } from '@google/genai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { received, startDriver } from '../support.ts';
import { geminiDriver } from './gemini-driver.ts';

const user = { role: 'user', parts: [{ text: 'Hi.' }] };
const functionCall = { name: 'look', args: { a: 1 } };
const calling = { role: 'model', parts: [{ functionCall }] };
const answered = { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'Sunny.' } } }] };

const at = (model: string) => `/v1beta/models/${model}:generateContent`;
const hear = (body: JsonObject, path = at('gemini-2.5-flash')) =>
  geminiDriver.hear(received(path, { contents: [user], ...body }));

describe('the simulated Gemini API', () => {
  it.each<[string, JsonObject]>([
    [
      'camelCase',
      {
        systemInstruction: { parts: [{ text: 'You are a cat.' }] },
        contents: [
          {
            role: 'user',
            parts: [
              { text: 'Caption this image.' },
              { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
              { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
            ],
          },
          calling,
          answered,
        ],
        tools: [
          {
            functionDeclarations: [
              { name: 'look', description: 'Looks.', parametersJsonSchema: { type: 'object', a_b: 1 } },
            ],
          },
        ],
        generationConfig: {
          maxOutputTokens: 100,
          thinkingConfig: { thinkingBudget: 1024, includeThoughts: true },
          responseMimeType: 'application/json',
          responseJsonSchema: { type: 'object' },
        },
      },
    ],
    [
      'snake_case, as in the guides',
      {
        system_instruction: { parts: [{ text: 'You are a cat.' }] },
        contents: [
          {
            parts: [
              { text: 'Caption this image.' },
              { inline_data: { mime_type: 'image/png', data: 'iVBORw0KGgo=' } },
              { inline_data: { mime_type: 'application/pdf', data: 'JVBERi0=' } },
            ],
          },
          { role: 'model', parts: [{ function_call: functionCall }] },
          { role: 'function', parts: [{ function_response: { name: 'look', response: { result: 'Sunny.' } } }] },
        ],
        tools: [
          {
            function_declarations: [
              { name: 'look', description: 'Looks.', parameters_json_schema: { type: 'object', a_b: 1 } },
            ],
          },
        ],
        generation_config: {
          max_output_tokens: 100,
          thinking_config: { thinking_budget: 1024, include_thoughts: true },
          response_mime_type: 'application/json',
          response_json_schema: { type: 'object' },
        },
      },
    ],
  ])('reads a request in %s', (_, body) => {
    expect(hear(body)).toEqual({
      stream: false,
      model: 'gemini-2.5-flash',
      system: ['You are a cat.'],
      user: ['Caption this image.'],
      images: ['iVBORw0KGgo='],
      documents: ['JVBERi0='],
      tools: [{ name: 'look', schema: { type: 'object', a_b: 1 } }],
      calls: [{ id: '', name: 'look', args: { a: 1 } }],
      results: [{ id: '', text: 'Sunny.' }],
      proofs: [],
      schema: { type: 'object' },
      reasoning: true,
      maxTokens: 100,
    });
  });

  it.each<[string, JsonObject]>([
    ['messages: is not a member', { messages: [] }],
    ['contents: is not specified', { contents: [] }],
    ['contents[0].role: is "assistant"', { contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] }],
    ['contents[0].parts: must not be empty', { contents: [{ role: 'user', parts: [] }] }],
    ['must have one initialized field', { contents: [{ role: 'user', parts: [{}] }] }],
    ['must be equal to the number of function call parts', { contents: [user, calling, user] }],
    ['comes immediately after a user turn', { contents: [calling, answered] }],
    ['immediately after a function call turn', { contents: [answered] }],
    [
      'must have the names of the calls',
      { contents: [user, { role: 'model', parts: [{ functionCall: { name: 'other' } }] }, answered] },
    ],
    ['must be application/json', { generationConfig: { responseJsonSchema: {} } }],
    ['thinking level is not supported', { generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } } }],
    ['generationConfig.maxTokens: is not a member', { generationConfig: { maxTokens: 1 } }],
    [
      'only be set when the mode is ANY',
      { toolConfig: { functionCallingConfig: { mode: 'AUTO', allowedFunctionNames: ['a'] } } },
    ],
    [
      'is not a value that this vendor made',
      { contents: [user, { role: 'model', parts: [{ text: 'a', thoughtSignature: 'gw1.a.b' }] }, user] },
    ],
  ])('rejects an invalid request: %s', (reason, body) => {
    expect(() => hear(body)).toThrow(reason);
  });

  it('requires the signature of a call in the current turn since Gemini 3', () => {
    const path = at('gemini-3-pro-preview');
    expect(() => hear({ contents: [user, calling, answered] }, path)).toThrow('is missing a thought_signature');
    const signed = { role: 'model', parts: [{ functionCall, thoughtSignature: 'skip_thought_signature_validator' }] };
    expect(hear({ contents: [user, signed, answered] }, path).calls).toHaveLength(1);
    expect(
      hear({ contents: [user, calling, answered, { role: 'model', parts: [{ text: 'a' }] }, user] }, path).calls,
    ).toHaveLength(1);
  });

  it('reads the paths of Vertex AI, which requires contents to have roles', () => {
    const path =
      '/v1/projects/p/locations/europe-west4/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse';
    expect(hear({}, path)).toMatchObject({ stream: true, model: 'gemini-2.5-flash' });
    expect(() => hear({ contents: [{ parts: [{ text: 'Hi.' }] }] }, path)).toThrow('use a valid role');
  });
});

describe("an answer of the simulated Gemini API, read by Google's library", () => {
  const ask = async (scenario: string, { model = 'gemini-2.5-flash', config = {} } = {}) => {
    await using upstream = await startDriver(geminiDriver, scenario);
    const ai = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: upstream.origin } });
    const request = { model, contents: 'Hi.', config };
    const whole = await ai.models.generateContent(request);
    const chunks: GenerateContentResponse[] = [];
    for await (const chunk of await ai.models.generateContentStream(request)) chunks.push(chunk);
    const list = await fetch(`${upstream.origin}/v1beta/models/${model}:streamGenerateContent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [user] }),
    });
    return { whole, chunks, listed: await list.json() };
  };
  const parts = (response: GenerateContentResponse | undefined) => response?.candidates?.[0]?.content?.parts ?? [];

  it('has the same calls whole and in events, and as many chunks in a list', async () => {
    const { whole, chunks, listed } = await ask('tools');
    expect(whole.functionCalls).toEqual([{ name: 'get_weather', args: { city: 'Graz', days: 2 } }]);
    expect(whole.text).toBe('Let me look.');
    expect(chunks.map(({ text }) => text ?? '').join('')).toBe('Let me look.');
    expect(chunks.flatMap(({ functionCalls }) => functionCalls ?? [])).toEqual(whole.functionCalls);
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP');
    expect(listed).toHaveLength(chunks.length);
    const newer = await ask('tools', { model: 'gemini-3-pro-preview' });
    expect(newer.whole.functionCalls?.[0]?.id).toBe('call_graz');
  });

  it('has thoughts only if the request includes them, but always their signature', async () => {
    const { whole, chunks } = await ask('reasoning', { config: { thinkingConfig: { includeThoughts: true } } });
    expect(parts(whole)).toEqual([
      { text: 'One and one is two.', thought: true },
      { text: 'Two.', thoughtSignature: 'c2lnbmF0dXJl' },
    ]);
    expect(parts(chunks.at(-1))).toEqual([{ text: '', thoughtSignature: 'c2lnbmF0dXJl' }]);
    expect(chunks.at(-1)?.usageMetadata).toMatchObject({
      promptTokenCount: 21,
      candidatesTokenCount: 9,
      totalTokenCount: 30,
    });
    const counted = await ask('usage');
    expect(counted.whole.usageMetadata).toMatchObject({
      promptTokenCount: 2100,
      cachedContentTokenCount: 2048,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 60,
      totalTokenCount: 2190,
    });
    const bare = await ask('reasoning');
    expect(parts(bare.whole)).toEqual([{ text: 'Two.', thoughtSignature: 'c2lnbmF0dXJl' }]);
  });

  it.each([
    ['refusal', 'SAFETY'],
    ['max tokens', 'MAX_TOKENS'],
  ])('ends with the finish reason of the scenario %s', async (scenario, reason) => {
    const { whole, chunks } = await ask(scenario);
    expect([whole, chunks.at(-1)].map((response) => response?.candidates?.[0]?.finishReason)).toEqual([reason, reason]);
  });

  it('is an error with the status 429 if the provider limits the rate', async () => {
    await expect(ask('error')).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('RESOURCE_EXHAUSTED'),
    });
  });
});
