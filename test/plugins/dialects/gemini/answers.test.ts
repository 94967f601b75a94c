import { describe, expect, it } from 'vitest';
import type { Answer, Finish } from '../../../../schema/conversation/answer.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { answerOptions, answerVia, chatCodec, geminiCodec, here, messagesCodec } from '../support/codecs.ts';

const wireAnswer = (candidate: JsonObject, more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP', index: 0, ...candidate }],
  modelVersion: 'gemini-2.5-flash',
  responseId: 'r-1',
  ...more,
});

const content = (...parts: readonly Json[]): JsonObject => ({ content: { role: 'model', parts } });
const read = (candidate: JsonObject, more?: JsonObject): Answer =>
  geminiCodec.decodeAnswer(wireAnswer(candidate, more), here);
const findParts = (candidate: JsonObject): readonly Part[] | undefined => read(candidate).choices[0]?.parts;

describe('an answer from Gemini', () => {
  it('has its id, its model and its time', () => {
    expect(read(content({ text: 'Hi' }), { createTime: '2026-01-02T03:04:05.250Z' })).toEqual({
      id: 'r-1',
      model: 'gemini-2.5-flash',
      created: 1_767_323_045,
      choices: [{ index: 0, parts: [{ kind: 'text', text: 'Hi' }], finish: { reason: 'stop', raw: 'STOP' } }],
      extensions: {},
    });
    expect(geminiCodec.decodeAnswer({ candidates: [] }, { ...here, model: 'm' }).model).toBe('m');
  });

  it.each([-1, 253_402_300_800, Number.MAX_SAFE_INTEGER])(
    'has no creation time if another provider reports the invalid time %j',
    (created) => {
      const wire = { id: 'a', model: 'm', created, choices: [] };
      expect(answerVia(chatCodec, geminiCodec, wire)).not.toHaveProperty('createTime');
    },
  );

  it('joins consecutive texts, and has signatures before their parts', () => {
    expect(
      findParts(
        content(
          { text: 'Hm', thought: true },
          { text: '.', thought: true },
          { text: 'A' },
          { text: 'B' },
          { text: 'C', thoughtSignature: 's' },
        ),
      ),
    ).toEqual([
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'text', text: 'AB' },
      { kind: 'reasoning', text: '', bound: { scope: 'here', kind: 'thought', value: 's' } },
      { kind: 'text', text: 'C' },
    ]);
  });

  it('gives each call without an id an id that no other answer has', () => {
    const calls = content({ functionCall: { name: 'f' } }, { functionCall: { id: 'x', name: 'g', args: { a: 1 } } });
    expect(read(calls).choices[0]).toMatchObject({
      parts: [
        { kind: 'tool-call', id: 'gw-call-r-1-0', name: 'f', arguments: '{}' },
        { kind: 'tool-call', id: 'x', name: 'g', arguments: '{"a":1}' },
      ],
      finish: { reason: 'tool-calls', raw: 'STOP' },
    });
  });

  it('has images, executed code, and parts that no other format has', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    const code = { executableCode: { id: 'c', language: 'PYTHON', code: '1' } };
    const draft = { inlineData: { mimeType: 'image/png', data: 'BBBB' } };
    expect(findParts(content(image, code, { ...draft, thought: true }))).toEqual([
      { kind: 'media', media: 'image', source: { kind: 'base64', mimeType: 'image/png', data: 'AAAA' } },
      {
        kind: 'server-tool-call',
        id: 'c',
        name: 'code_execution',
        arguments: '{"language":"PYTHON","code":"1"}',
        dialect: 'gemini',
        value: code,
      },
      { kind: 'other', dialect: 'gemini', value: draft },
    ]);
  });

  it.each<[string, Finish['reason']]>([
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['MALFORMED_FUNCTION_CALL', 'malformed-call'],
    ['UNEXPECTED_TOOL_CALL', 'malformed-call'],
    ['OTHER', 'other'],
    ['YET_TO_COME', 'other'],
  ])('maps the finish reason %s to %s', (finishReason, reason) => {
    expect(read({ finishReason, finishMessage: 'Because.' }).choices[0]?.finish).toEqual({
      reason,
      raw: finishReason,
      details: 'Because.',
    });
  });

  it('has no content if the prompt was refused', () => {
    const wire = { promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: 'No.' }, modelVersion: 'm' };
    expect(geminiCodec.decodeAnswer(wire, here).choices).toEqual([
      { index: 0, parts: [], finish: { reason: 'blocked-prompt', raw: 'SAFETY', details: 'No.' } },
    ]);
    expect(answerVia(geminiCodec, chatCodec, wire)).toMatchObject({
      choices: [{ message: { content: null }, finish_reason: 'content_filter' }],
    });
    expect(answerVia(geminiCodec, geminiCodec, wire)).toMatchObject({ promptFeedback: wire.promptFeedback });
  });

  it('counts thoughts as output, and tool results as input', () => {
    const usageMetadata = {
      promptTokenCount: 80,
      cachedContentTokenCount: 64,
      toolUsePromptTokenCount: 5,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 20,
      totalTokenCount: 135,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 60 },
        { modality: 'IMAGE', tokenCount: 20 },
      ],
      candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 30 }],
      trafficType: 'ON_DEMAND',
    };
    expect(read({}, { usageMetadata }).usage).toEqual({
      input: 85,
      output: 50,
      cacheRead: 64,
      reasoning: 20,
      inputImage: 20,
      outputAudio: 30,
      tier: 'default',
      raw: { gemini: usageMetadata },
    });
  });

  it('has citation offsets in characters, converted from bytes', () => {
    const groundingMetadata = {
      groundingChunks: [
        { web: { uri: 'https://a.example', title: 'A' } },
        { retrievedContext: { uri: 'gs://b', title: 'B', text: 'Words.' } },
        { web: { uri: 'https://c.example' } },
      ],
      groundingSupports: [
        { segment: { partIndex: 1, startIndex: 3, endIndex: 8, text: 'été' }, groundingChunkIndices: [0, 1] },
      ],
      webSearchQueries: ['été'],
    };
    const wire = { ...content({ text: 'Hm', thought: true }, { text: 'Un été.' }), groundingMetadata };
    const { parts, extensions } = read(wire).choices[0] ?? {};
    const span = { from: 3, to: 6 };
    expect(parts?.at(1)).toEqual({
      kind: 'text',
      text: 'Un été.',
      citations: [
        { url: 'https://a.example', title: 'A', span },
        { url: 'gs://b', title: 'B', quote: 'Words.', span },
        { url: 'https://c.example' },
      ],
    });
    expect(extensions).toEqual({ gemini: { groundingMetadata: { webSearchQueries: ['été'] } } });
  });

  it('counts the offsets of a citation after a call from the start of the cited text', () => {
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: 'https://a.example' } }],
      groundingSupports: [{ segment: { startIndex: 3, endIndex: 4 }, groundingChunkIndices: [0] }],
    };
    const wire = { ...content({ text: 'é' }, { functionCall: { name: 'f' } }, { text: 'abc' }), groundingMetadata };
    expect(findParts(wire)?.at(2)).toEqual({
      kind: 'text',
      text: 'abc',
      citations: [{ url: 'https://a.example', span: { from: 1, to: 2 } }],
    });
  });

  it.each(['citationSources', 'citations'])('has citations for recited text from %s', (list) => {
    const citationMetadata = { [list]: [{ startIndex: 0, endIndex: 2, uri: 'https://a.example', license: 'mit' }] };
    expect(findParts({ ...content({ text: 'Hello' }), citationMetadata })).toEqual([
      { kind: 'text', text: 'Hello', citations: [{ url: 'https://a.example', span: { from: 0, to: 2 } }] },
    ]);
  });

  it('has the log probabilities of its tokens', () => {
    const logprobsResult = {
      chosenCandidates: [{ token: 'Hi', tokenId: 1, logProbability: -0.5 }],
      topCandidates: [{ candidates: [{ token: 'Hello', logProbability: -0.25 }] }],
    };
    expect(findParts({ ...content({ text: 'Hi' }), avgLogprobs: -0.5, logprobsResult })).toEqual([
      {
        kind: 'text',
        text: 'Hi',
        logprobs: [{ token: 'Hi', logprob: -0.5, top: [{ token: 'Hello', logprob: -0.25 }] }],
      },
    ]);
  });

  it('is rejected if it is an error or has no candidates', () => {
    const error = { error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } };
    expect(() => geminiCodec.decodeAnswer(error, here)).toThrow('API key not valid.');
    expect(() => geminiCodec.decodeAnswer({}, here)).toThrow('it has no list of candidates');
  });
});

describe('an answer for a Gemini client', () => {
  const write = (parts: readonly Part[], finish: Finish = { reason: 'stop' }): JsonObject => {
    const answer: Answer = { id: 'a', model: 'm', choices: [{ index: 0, parts, finish }], extensions: {} };
    return JSON.parse(JSON.stringify(geminiCodec.encodeAnswer(answer, answerOptions))) as JsonObject;
  };

  it('has thoughts, calls, and signatures in base64 on the part that follows', () => {
    const bound = { scope: 'there', kind: 'signature', value: 's' } as const;
    expect(
      write(
        [
          { kind: 'reasoning', text: 'Hm.', bound },
          { kind: 'text', text: 'A' },
          { kind: 'refusal', text: 'B' },
          { kind: 'tool-call', id: 'c', name: 'f', arguments: '{"a":1}' },
          { kind: 'other', dialect: 'chat', value: { type: 'x' } },
        ],
        { reason: 'tool-calls' },
      ),
    ).toEqual({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'Hm.', thought: true },
              { text: 'A', thoughtSignature: Buffer.from('signature.gw1.there.s').toString('base64') },
              { text: 'B' },
              {
                functionCall: { id: 'c', name: 'f', args: { a: 1 } },
                thoughtSignature: Buffer.from('thought.gw1.none.').toString('base64'),
              },
            ],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      modelVersion: 'm',
      responseId: 'a',
    });
  });

  it('has citation offsets in bytes', () => {
    const citations = [{ url: 'https://a.example', title: 'A', span: { from: 3, to: 6 } }];
    const { candidates } = write([{ kind: 'text', text: 'Un été.', citations }]);
    expect(candidates).toMatchObject([
      {
        groundingMetadata: {
          groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
          groundingSupports: [{ segment: { startIndex: 3, endIndex: 8, text: 'été' }, groundingChunkIndices: [0] }],
        },
      },
    ]);
  });

  // https://ai.google.dev/api/generate-content#groundingchunk
  it('cites web pages by URL, and passages of other sources with their text', () => {
    const found = { type: 'web_search_result_location', url: 'https://a.example', title: 'A', encrypted_index: 'x' };
    const result = { type: 'search_result_location', source: 'doc-1', title: 'D', search_result_index: 0 };
    const citations = [
      { ...found, cited_text: 'It rains.' },
      { ...result, cited_text: 'So it does.', start_block_index: 0, end_block_index: 1 },
    ];
    const content = [{ type: 'text', text: 'Rain.', citations }];
    const wire = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'end_turn' };
    expect(answerVia(messagesCodec, geminiCodec, wire)).toMatchObject({
      candidates: [
        {
          groundingMetadata: {
            groundingChunks: [
              { web: { uri: 'https://a.example', title: 'A' } },
              { retrievedContext: { title: 'D', text: 'So it does.', documentName: 'doc-1' } },
            ],
          },
        },
      ],
    });
  });

  it('has the usage and the finish reason of a messages provider', () => {
    const wire = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'max_tokens',
      usage: { input_tokens: 10, cache_read_input_tokens: 30, output_tokens: 5 },
    };
    expect(answerVia(messagesCodec, geminiCodec, wire)).toEqual({
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'MAX_TOKENS', index: 0 }],
      usageMetadata: {
        promptTokenCount: 40,
        cachedContentTokenCount: 30,
        candidatesTokenCount: 5,
        totalTokenCount: 45,
      },
      modelVersion: 'claude-opus-5',
      responseId: 'msg_1',
    });
  });
});
