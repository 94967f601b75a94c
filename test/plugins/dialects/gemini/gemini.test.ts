import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyResponse } from '../../../../plugins/dialects/gemini/answer/classify.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { fixture } from '../support/fixture.ts';
import { toFrames } from '../support/frames.ts';

/** Model output that looks like the wire format. */
const tricky: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('"finishReason":"STOP"', 'Reason', '"error":{', 'error', '"parts":[{"text":"a', '\\"', ''),
);
const part: fc.Arbitrary<Json> = fc.oneof(
  fc.record(
    { text: tricky, thought: fc.boolean(), thoughtSignature: tricky },
    { requiredKeys: ['text'] },
  ) as fc.Arbitrary<Json>,
  fc.record({ thought: fc.constant(true), text: tricky }),
  fc.record({ functionCall: fc.record({ name: tricky, args: fc.record({ parts: fc.constant([{ text: 'a' }]) }) }) }),
  fc.constant({}),
);
const candidate: fc.Arbitrary<Json> = fc.record(
  {
    content: fc.record({ parts: fc.array(part, { maxLength: 2 }), role: fc.constant('model') }),
    finishReason: fc.constantFrom('STOP', null),
    groundingMetadata: fc.record({ groundingSupports: fc.constant([{ segment: { text: 'a' } }]) }),
    index: fc.nat(1),
  },
  { requiredKeys: ['index'] },
) as fc.Arbitrary<Json>;
const response: fc.Arbitrary<JsonObject> = fc.record(
  {
    candidates: fc.array(candidate, { maxLength: 2 }),
    promptFeedback: fc.constantFrom({}, { blockReason: 'SAFETY' }),
    usageMetadata: fc.record({ promptTokenCount: fc.nat() }),
    error: fc.constantFrom(null, { message: 'x' }),
    modelVersion: tricky,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

describe('the class of a Gemini frame', () => {
  it('is the same as that of its parsed JSON', () => {
    fc.assert(
      fc.property(response, fc.constantFrom(undefined, 2), fc.boolean(), (value, indent, isList) => {
        const data = JSON.stringify(isList ? [value] : value, null, indent);
        expect(gemini.classify({ data })).toBe(classifyResponse(value));
      }),
      { numRuns: 3000 },
    );
  });

  it('is "content" until the frame with the finish reason, which is "end"', () => {
    const classes = toFrames(fixture('gemini-thoughts-and-calls.sse')).map((frame) => gemini.classify(frame));
    expect(classes).toEqual(['content', 'content', 'content', 'content', 'content', 'end']);
  });

  it.each([
    ['an error', '{"error":{"code":503,"message":"x"}}', 'error'],
    ['a list of one error', '[{"error":{"code":503}}]', 'error'],
    ['a refused prompt', '{"promptFeedback":{"blockReason":"SAFETY"}}', 'end'],
    ['usage without candidates', '{"usageMetadata":{"promptTokenCount":1}}', 'usage'],
    ['an empty text', '{"candidates":[{"content":{"parts":[{"text":""}]}}]}', 'preamble'],
    [
      'a signature without text',
      '{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"s"}]}}]}',
      'preamble',
    ],
    ['the beginning of a call', '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}}]}}]}', 'content'],
    ['text that is not JSON', 'upstream said no', 'content'],
  ])('is correct for %s', (_what, data, kind) => {
    expect(gemini.classify({ data })).toBe(kind);
  });
});

describe('the routes of Gemini', () => {
  it('return whole answers, or streams framed as the query specifies', () => {
    const routes = gemini.routes ?? [];
    expect(routes.map(({ path, stream }) => [path, stream])).toEqual([
      ['/v1beta/models/{model}:generateContent', false],
      ['/v1beta/models/{model}:streamGenerateContent', true],
      ['/models/{model}:generateContent', false],
      ['/models/{model}:streamGenerateContent', true],
    ]);
    const framings = ['alt=sse', 'alt=json', ''].map((query) => routes[1]?.framing?.(new URLSearchParams(query)));
    expect(framings).toEqual(['sse', 'json-array', 'json-array']);
    expect(gemini.models?.path).toBe('/v1beta/models');
  });
});

describe('Gemini errors', () => {
  it("have the gateway's code as their reason", () => {
    const report = errorReport('request-timeout', { ms: 50 });
    expect(gemini.encodeError(report)).toEqual({
      error: {
        code: 408,
        message: report.message,
        status: 'DEADLINE_EXCEEDED',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'request-timeout',
            domain: 'gatewright',
            metadata: { type: 'timeout_error' },
          },
        ],
      },
    });
  });

  it('say when to try again, as Google does', () => {
    const report = errorReport(
      'rate-limited',
      { policy: '"p"', limit: '1', suggestion: '' },
      { headers: ['retry-after', '3600'] },
    );
    const { error } = Object(gemini.encodeError(report));
    expect(error.details[1]).toEqual({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3600s' });
    expect(gemini.retryAfter?.(JSON.stringify({ error }))).toBe(3600);
  });

  it('are read with their status and reason, even from a list', () => {
    const error = {
      code: 400,
      message: 'API key not valid.',
      status: 'INVALID_ARGUMENT',
      details: [{ '@type': 'a' }, { '@type': 'b', reason: 'API_KEY_INVALID' }],
    };
    const expected = { message: 'API key not valid.', type: 'INVALID_ARGUMENT', code: 'API_KEY_INVALID', status: 400 };
    expect(gemini.decodeError(400, JSON.stringify({ error }))).toEqual(expected);
    expect(gemini.decodeError(400, JSON.stringify([{ error }]))).toEqual(expected);
    expect(gemini.decodeStreamError({ data: JSON.stringify([{ error }]) })).toEqual(expected);
  });

  it.each([
    [400, 'invalid_request_error', 'INVALID_ARGUMENT'],
    [401, 'x', 'UNAUTHENTICATED'],
    [429, 'rate_limit_error', 'RESOURCE_EXHAUSTED'],
    [400, 'FAILED_PRECONDITION', 'FAILED_PRECONDITION'],
    [500, 'api_error', 'INTERNAL'],
    [529, 'overloaded_error', 'UNAVAILABLE'],
  ])('with status %i and type %s from another provider have the status %s', (status, type, name) => {
    expect(gemini.encodeWireError({ message: 'No', type, code: 'c' }, status)).toMatchObject({
      error: { code: status, message: 'No', status: name, details: [{ reason: 'c' }] },
    });
  });

  it('in a stream have the HTTP status that their name implies if they have no code', () => {
    expect(gemini.decodeStreamError({ data: '{"error":{"status":"UNAVAILABLE"}}' }).status).toBe(503);
    expect(gemini.decodeStreamError({ data: '{"error":"Oops"}' })).toEqual({ message: 'Oops' });
  });
});

describe('config parameters in a Gemini body', () => {
  const place = (params: JsonObject, body: JsonObject = {}): JsonObject | undefined => gemini.place?.(params, body);

  it('are placed in generationConfig under its names', () => {
    const params = {
      model: 'm',
      stream: true,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 4,
      max_tokens: 9,
      stop: 'END',
      n: 2,
      seed: 1,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      logprobs: true,
      top_logprobs: 3,
      modalities: ['text'],
      safetySettings: [],
    };
    expect(place(params, { contents: [] })).toEqual({
      contents: [],
      generationConfig: {
        temperature: 0.5,
        topP: 0.9,
        topK: 4,
        maxOutputTokens: 9,
        stopSequences: ['END'],
        candidateCount: 2,
        seed: 1,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        responseLogprobs: true,
        logprobs: 3,
        responseModalities: ['TEXT'],
      },
      safetySettings: [],
    });
  });

  it('replace members of the body in either spelling, and nothing else', () => {
    const body = {
      generation_config: { top_p: 0.1, top_k: 3, response_schema: {} },
      safety_settings: [1],
    };
    const params = { top_p: 0.9, response_format: { type: 'json_object' }, safetySettings: [] };
    expect(place(params, body)).toEqual({
      generationConfig: { topP: 0.9, top_k: 3, responseMimeType: 'application/json' },
      safetySettings: [],
    });
  });

  it('include the answer schema unchanged', () => {
    const schema = { type: 'object' };
    const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } };
    expect(place({ response_format })).toEqual({
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
    });
    expect(place({ response_format: { type: 'text' } })).toEqual({
      generationConfig: { responseMimeType: 'text/plain' },
    });
  });

  it.each([
    ['gemini-3-pro-preview', { includeThoughts: true, thinkingLevel: 'LOW' }],
    ['gemini-2.5-flash', { includeThoughts: true, thinkingBudget: 1024 }],
    [undefined, { includeThoughts: true, thinkingBudget: 1024 }],
  ])('set the thinking for the model %s', (model, thinkingConfig) => {
    const params = { reasoning_effort: 'low', ...(model === undefined ? {} : { model }) };
    expect(place(params)).toEqual({ generationConfig: { thinkingConfig } });
  });

  it('leave generationConfig unchanged if none of them belongs there', () => {
    const body = { generationConfig: { topP: 1 }, labels: { a: 'b' } };
    expect(place({ model: 'm', labels: {} }, body)).toEqual({ generationConfig: { topP: 1 }, labels: {} });
  });
});

describe('the texts of a Gemini body', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'Before' }] },
    { role: 'model', parts: [{ text: 'Said' }] },
    {
      role: 'user',
      parts: [
        { text: 'Now' },
        { function_response: { name: 'f', response: { output: 'a\nb' } } },
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      ],
    },
  ];

  it('in a request are those after the last content of the model, in both spellings', () => {
    expect(gemini.texts?.({ contents }, 'input')).toEqual([
      { at: '/contents/2/parts/0/text', text: 'Now', kind: 'text' },
      { at: '/contents/2/parts/1/function_response/response', text: 'output\na\nb', kind: 'tool-result' },
    ]);
    expect(gemini.texts?.({ messages: [] }, 'input')).toBeUndefined();
  });

  it('in an answer are all texts of the candidates', () => {
    const parts = [
      { text: 'Hm', thought: true },
      { text: 'Hi' },
      { functionCall: { name: 'f', args: { a: 'x' } } },
      { executableCode: { code: 'print(1)' } },
      { codeExecutionResult: { output: '1' } },
    ];
    const at = '/candidates/0/content/parts';
    expect(gemini.texts?.({ candidates: [{ index: 1, content: { parts } }] }, 'output')).toEqual([
      { at: `${at}/0/text`, text: 'Hm', kind: 'reasoning', choice: 1 },
      { at: `${at}/1/text`, text: 'Hi', kind: 'text', choice: 1 },
      { at: `${at}/2/functionCall/args`, text: 'a\nx', kind: 'tool-arguments', choice: 1 },
      { at: `${at}/3/executableCode/code`, text: 'print(1)', kind: 'server-tool', choice: 1 },
      { at: `${at}/4/codeExecutionResult/output`, text: '1', kind: 'server-tool', choice: 1 },
    ]);
    expect(gemini.texts?.({ promptFeedback: { blockReason: 'SAFETY' } }, 'output')).toEqual([]);
    expect(gemini.texts?.({ choices: [] }, 'output')).toBeUndefined();
  });
});

it('the usage of a Gemini frame without counts is undefined', () => {
  expect(gemini.usage?.({ usageMetadata: { trafficType: 'ON_DEMAND' } })).toBeUndefined();
  expect(gemini.usage?.({ usageMetadata: { promptTokenCount: 3 } })).toMatchObject({ input: 3, output: 0 });
});

it("lists models in Google's format", () => {
  expect(gemini.models?.encode([{ id: 'm', provider: 'p' }])).toEqual({
    models: [
      {
        name: 'models/m',
        displayName: 'm',
        supportedGenerationMethods: ['generateContent', 'streamGenerateContent'],
      },
    ],
  });
});
