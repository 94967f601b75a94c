import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastMember } from '../../../runtime/json-bodies/read/last-member.ts';
import { PassedUsage } from '../../../runtime/usage/passed-usage.ts';
import type { Usage } from '../../../schema/conversation/conversation.ts';

const json = { contentType: 'application/json', contentEncoding: '' };
const events = { contentType: 'text/event-stream; charset=utf-8', contentEncoding: '' };

const readIn = (pieces: readonly (string | Buffer)[], answer = json): Usage | undefined => {
  const passed = new PassedUsage(answer);
  for (const piece of pieces) passed.write(Buffer.from(piece));
  return passed.read();
};

const read = (value: unknown): Usage | undefined => readIn([JSON.stringify(value)]);

describe('the usage of an answer that is passed through', () => {
  it.each<[string, object, Usage]>([
    [
      'images of OpenAI',
      {
        created: 1,
        data: [{ b64_json: 'AAAA' }],
        usage: {
          total_tokens: 100,
          input_tokens: 50,
          output_tokens: 50,
          input_tokens_details: { text_tokens: 10, image_tokens: 40 },
        },
      },
      { input: 50, output: 50, inputImage: 40 },
    ],
    [
      'a transcription of OpenAI',
      {
        text: 'hi "usage": {',
        usage: { type: 'tokens', input_tokens: 14, input_token_details: { audio_tokens: 14 }, output_tokens: 5 },
      },
      { input: 14, output: 5, inputAudio: 14 },
    ],
    [
      'a reranking of Cohere',
      { results: [], meta: { billed_units: { search_units: 2 } } },
      { input: 0, output: 0, calls: { search: 2 } },
    ],
    [
      'an embedding of Cohere that reports only billed tokens',
      { embeddings: {}, meta: { api_version: { version: '2' }, billed_units: { input_tokens: 12 } } },
      { input: 12, output: 0 },
    ],
    [
      'a chat of Cohere with more tokens than it bills',
      {
        text: 'Hello.',
        meta: {
          billed_units: { input_tokens: 3, output_tokens: 2, search_units: 1 },
          tokens: { input_tokens: 70, output_tokens: 5 },
          cached_tokens: 40,
        },
      },
      { input: 70, output: 5, cacheRead: 40, billed: { input: 3, output: 2 }, calls: { search: 1 } },
    ],
    [
      'a chat of Cohere with a count in each of its two places',
      { usage: { billed_units: { input_tokens: 3, output_tokens: 2 }, tokens: { output_tokens: 5 } } },
      { input: 3, output: 5, billed: { output: 2 } },
    ],
    ['a reranking by tokens', { results: [], usage: { total_tokens: 31 } }, { input: 31, output: 0 }],
    ['a total and a count of input tokens', { usage: { prompt_tokens: 5, total_tokens: 12 } }, { input: 5, output: 7 }],
    [
      'a total and a count of output tokens',
      { usage: { completion_tokens: 5, total_tokens: 12 } },
      { input: 7, output: 5 },
    ],
    [
      'a transcription, which is billed by duration',
      { text: 'hi', usage: { type: 'duration', seconds: 3 } },
      { input: 0, output: 0, audioSeconds: 3 },
    ],
    ['a total that is less than the input', { usage: { prompt_tokens: 5, total_tokens: 0 } }, { input: 5, output: 0 }],
    [
      'an answer of Gemini that used one of its tools',
      { usageMetadata: { promptTokenCount: 7, toolUsePromptTokenCount: 30, candidatesTokenCount: 3 } },
      { input: 37, output: 3 },
    ],
    [
      'an answer of Gemini',
      { candidates: [], usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, thoughtsTokenCount: 2 } },
      { input: 7, output: 5, reasoning: 2 },
    ],
    [
      'an answer of Anthropic, which counts cached tokens separately',
      { usage: { input_tokens: 3, cache_read_input_tokens: 5, cache_creation_input_tokens: 2, output_tokens: 1 } },
      { input: 10, output: 1, cacheRead: 5, cacheWrite: 2 },
    ],
  ])('is read from %s', (_, answer, usage) => expect(read(answer)).toEqual(usage));

  it.each([
    ['a token count', { input_tokens: 12 }],
    ['a moderation', { id: 'm', results: [{ flagged: false }] }],
    ['a duration that is not a number', { text: 'hi', usage: { type: 'duration', seconds: '3' } }],
    ['usage inside a list', { data: [{ usage: { input_tokens: 1, output_tokens: 1 } }] }],
    ['usage inside a response', { response: { usage: { input_tokens: 1 } } }],
    ['a usage of null', { usage: null }],
    ['counts that are invalid', { usage: { input_tokens: '5', output_tokens: -1 } }],
    ['an empty text', ''],
  ])('is unknown for %s', (_, answer) => expect(read(answer)).toBeUndefined());

  it('is read after any bytes, however they are split', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), fc.nat(3), (text, size, filling) => {
        const answer = { text, data: 'A'.repeat(filling * 40_000), usage: { input_tokens: 4, output_tokens: 2 } };
        const bytes = Buffer.from(JSON.stringify(answer, null, filling));
        const step = Math.max(size, Math.ceil(bytes.length / 50));
        const pieces = Array.from({ length: Math.ceil(bytes.length / step) }, (_, at) =>
          bytes.subarray(at * step, (at + 1) * step),
        );
        expect(readIn(pieces)).toEqual({ input: 4, output: 2 });
      }),
      { numRuns: 100 },
    );
  });

  it('is read from a million chunks of one byte before the time-out', { timeout: 30_000 }, () => {
    const passed = new PassedUsage(json);
    const answer = Buffer.from(JSON.stringify({ text: 'x'.repeat(1_000_000), usage: { input_tokens: 3 } }));
    for (let at = 0; at < answer.length; at += 1) passed.write(answer.subarray(at, at + 1));
    expect(passed.read()).toEqual({ input: 3, output: 0 });
  });

  it('is read from a compressed answer, unless the answer is too long', () => {
    const text = JSON.stringify({ text: 'x'.repeat(100_000), usage: { input_tokens: 4, output_tokens: 2 } });
    const encoded = (contentEncoding: string, bytes: Buffer) => readIn([bytes], { ...json, contentEncoding });
    expect(encoded('gzip', gzipSync(text))).toEqual({ input: 4, output: 2 });
    expect(encoded('br', brotliCompressSync(text))).toEqual({ input: 4, output: 2 });
    for (const deflate of [deflateSync, deflateRawSync])
      expect(encoded('deflate', deflate(text))).toEqual({ input: 4, output: 2 });
    expect(encoded('gzip', gzipSync(text).subarray(0, 50))).toBeUndefined();
    expect(encoded('gzip', Buffer.alloc(300 * 1024, 'x'))).toBeUndefined();
    expect(PassedUsage.reads({ ...json, contentEncoding: 'own' })).toBe(false);
    expect(PassedUsage.reads({ contentType: 'audio/mpeg', contentEncoding: '' })).toBe(false);
  });

  it('is that of the last event with figures', () => {
    const stream = [
      'data: {"type":"transcript.text.delta","delta":"hi","usage":{"input_tokens":1}}\n\n',
      'event: done\ndata: {"type":"transcript.text.done","usage":{"input_tokens":9,"output_tokens":4}}\n\n',
      'data: {"more":{"usage":{"input_tokens":1}}}\n\n',
      'data: [DONE]\n\n',
    ];
    expect(readIn(stream, events)).toEqual({ input: 9, output: 4 });
    expect(readIn(stream.slice(0, 1), events)).toEqual({ input: 1, output: 0 });
    expect(readIn(['data: {"usage":{"input_tok'], events)).toBeUndefined();
  });
});

describe('the last member with a name', () => {
  it('is the one at the top level of the object', () => {
    expect(lastMember('7]},"usage": { "a" : "}" } , "b":[{}] }\n', 'usage')).toEqual({ a: '}' });
    expect(lastMember('{"usage":{"a":1},"b":{"usage":{"a":2}}}', 'usage')).toEqual({ a: 1 });
    expect(lastMember('{"usage":{"a":1},"text":"\\"usage\\":{}"}', 'usage')).toEqual({ a: 1 });
    for (const text of ['{"usage":{"a":1}', '{"usage":{"a":1', '{"usage":3}', '{"usage"', ''])
      expect(lastMember(text, 'usage')).toBeUndefined();
  });
});
