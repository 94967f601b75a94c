import { describe, expect, it } from 'vitest';
import { converse } from '../../../../plugins/dialects/converse/converse.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';

describe('config parameters in a Converse body', () => {
  it('are placed where the format expects them', () => {
    const params = { max_tokens: 9, temperature: 0.1, top_p: 0.5, stop: 'x', service_tier: 'flex', own: true };
    expect(converse.place?.(params, { messages: [], inferenceConfig: { topP: 0.9, maxTokens: 1 } })).toEqual({
      messages: [],
      inferenceConfig: { maxTokens: 9, temperature: 0.1, topP: 0.5, stopSequences: ['x'] },
      serviceTier: { type: 'flex' },
      own: true,
    });
    expect(converse.place?.({ max_completion_tokens: 3, stop: ['a'] }, {})).toEqual({
      inferenceConfig: { maxTokens: 3, stopSequences: ['a'] },
    });
  });

  it.each<[JsonObject, JsonObject]>([
    [{ top_k: 3 }, { additionalModelRequestFields: { top_k: 3 } }],
    [{ reasoning_effort: 'low' }, { outputConfig: { effort: 'low' } }],
    [
      { model: 'amazon.nova-2-lite-v1:0', top_k: 3, reasoning_effort: 'low' },
      {
        model: 'amazon.nova-2-lite-v1:0',
        additionalModelRequestFields: {
          inferenceConfig: { topK: 3 },
          reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' },
        },
      },
    ],
    [
      { model: 'openai.gpt-oss-20b-1:0', reasoning_effort: 'low' },
      { model: 'openai.gpt-oss-20b-1:0', additionalModelRequestFields: { reasoning_effort: 'low' } },
    ],
    [
      { thinking: { type: 'disabled' }, response_format: { type: 'json_object' } },
      { additionalModelRequestFields: { thinking: { type: 'disabled' }, response_format: { type: 'json_object' } } },
    ],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } } },
      {
        outputConfig: {
          textFormat: { type: 'json_schema', structure: { jsonSchema: { schema: '{"type":"object"}', name: 'n' } } },
        },
      },
    ],
  ])('%j become %j', (params, body) => {
    expect(converse.place?.(params, {})).toEqual(body);
  });
});

describe('the texts of a Converse body', () => {
  const found = (
    body: JsonObject,
    phase: 'input' | 'output',
  ): readonly (readonly [string, string, string])[] | undefined =>
    converse.texts?.(body, phase)?.map(({ at, kind, text }) => [at, kind, text]);
  const user = (content: Json): JsonObject => ({ role: 'user', content });

  it('in a request are those after the last answer', () => {
    const result = {
      toolUseId: 'a',
      content: [{ text: 'sun' }, { json: { wind: 'weak' } }, { document: { name: 'd', source: { text: 'report' } } }],
    };
    const messages = [
      user([{ text: 'Earlier.' }]),
      { role: 'assistant', content: [{ text: 'Yes.' }] },
      user([
        { toolResult: result },
        { text: 'And now?' },
        { guardContent: { text: { text: 'guarded' } } },
        { document: { name: 'n', source: { content: [{ text: 'cited' }] } } },
        { searchResult: { source: 's', title: 't', content: [{ text: 'found' }] } },
        { cachePoint: { type: 'default' } },
      ]),
    ];
    const at = '/messages/2/content';
    expect(found({ messages }, 'input')).toEqual([
      [`${at}/0/toolResult/content/0/text`, 'tool-result', 'sun'],
      [`${at}/0/toolResult/content/1/json`, 'tool-result', 'wind\nweak'],
      [`${at}/0/toolResult/content/2/document/name`, 'other', 'd'],
      [`${at}/0/toolResult/content/2/document/source/text`, 'tool-result', 'report'],
      [`${at}/1/text`, 'text', 'And now?'],
      [`${at}/2/guardContent/text/text`, 'text', 'guarded'],
      [`${at}/3/document/name`, 'other', 'n'],
      [`${at}/3/document/source/content/0/text`, 'text', 'cited'],
      [`${at}/4/searchResult/title`, 'text', 't'],
      [`${at}/4/searchResult/content/0/text`, 'text', 'found'],
    ]);
  });

  it('in an answer are the texts, the reasoning, the call arguments and what Bedrock found', () => {
    const content = [
      { reasoningContent: { reasoningText: { text: 'Hm' } } },
      { citationsContent: { content: [{ text: 'It rains.' }] } },
      { toolUse: { toolUseId: 'a', name: 'f', input: { city: 'Graz' } } },
      { toolUse: { toolUseId: 's', name: 'g', type: 'server_tool_use', input: { q: 'rain' } } },
      { toolResult: { toolUseId: 's', content: [{ text: 'found' }] } },
    ];
    const at = '/output/message/content';
    expect(found({ output: { message: { content } } }, 'output')).toEqual([
      [`${at}/0/reasoningContent/reasoningText/text`, 'reasoning', 'Hm'],
      [`${at}/1/citationsContent/content/0/text`, 'text', 'It rains.'],
      [`${at}/2/toolUse/input`, 'tool-arguments', 'city\nGraz'],
      [`${at}/3/toolUse/input`, 'server-tool', 'q\nrain'],
      [`${at}/4/toolResult/content/0/text`, 'server-tool', 'found'],
    ]);
    expect(found({ message: 'Slow down' }, 'output')).toBeUndefined();
    expect(found({ prompt: 'x' }, 'input')).toBeUndefined();
  });
});

describe('a Bedrock error', () => {
  it.each([
    ['{"message":"No"}', { message: 'No', status: 400 }],
    ['{"Message":"User is not authorized"}', { message: 'User is not authorized', status: 400 }],
    [
      '{"__type":"com.amazon#ThrottlingException","message":"Slow"}',
      { message: 'Slow', type: 'ThrottlingException', status: 400 },
    ],
  ])('is read from %s', (body, error) => {
    expect(converse.decodeError(400, body)).toEqual(error);
  });

  it('has the type that its header names, or else the type in its body', () => {
    const headers = ['X-Amzn-ErrorType', 'ThrottlingException:http://internal.amazon.com/coral/com.amazon.bedrock/'];
    expect(converse.decodeError(429, '{"message":"Slow down"}', headers)).toEqual({
      message: 'Slow down',
      type: 'ThrottlingException',
      status: 429,
    });
    const body = '{"__type":"com.amazon#ValidationException","message":"No"}';
    expect(converse.decodeError(429, body, headers).type).toBe('ThrottlingException');
    expect(converse.decodeError(400, body).type).toBe('ValidationException');
  });

  it.each([
    [400, 'ValidationException'],
    [401, 'AccessDeniedException'],
    [403, 'AccessDeniedException'],
    [404, 'ResourceNotFoundException'],
    [408, 'ModelTimeoutException'],
    [422, 'ValidationException'],
    [424, 'ModelErrorException'],
    [429, 'ThrottlingException'],
    [500, 'InternalServerException'],
    [502, 'InternalServerException'],
    [503, 'ServiceUnavailableException'],
    [529, 'ServiceUnavailableException'],
  ])('with status %i from another provider becomes a %s', (status, name) => {
    const error = { message: 'No', type: 'insufficient_quota', code: 'x' };
    expect(converse.encodeWireError(error, status)).toEqual({ __type: name, message: 'No', reason: 'x' });
  });

  it('keeps its type if Bedrock itself reported it', () => {
    const error = { message: 'No', type: 'ServiceQuotaExceededException' };
    expect(converse.encodeWireError(error, 400)).toEqual({ __type: 'ServiceQuotaExceededException', message: 'No' });
  });

  it.each([
    ['throttlingException', 429],
    ['modelStreamErrorException', 424],
    ['internalServerException', 500],
    ['validationException', 400],
    ['serviceUnavailableException', 503],
  ])('named %s in a stream has the status %i', (event, status) => {
    expect(converse.decodeStreamError({ event, data: '{"message":"No"}' })).toMatchObject({ message: 'No', status });
  });

  it('is an exception with the code of the gateway in a stream', () => {
    const report = errorReport('stream-cut', {});
    const frame = converse.encodeStreamError(report);
    expect(frame).toMatchObject({ event: 'internalServerException', headers: { ':message-type': 'exception' } });
    expect(converse.decodeStreamError(frame)).toMatchObject({ message: report.message, code: 'stream-cut' });
  });
});
