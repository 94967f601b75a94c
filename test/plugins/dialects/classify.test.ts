import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyChunk } from '../../../plugins/dialects/chat/answer/classify.ts';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { embeddings } from '../../../plugins/dialects/embeddings/embeddings.ts';
import { messages } from '../../../plugins/dialects/messages/messages.ts';
import type { Json } from '../../../schema/json/json.ts';
import { fixture } from './support/fixture.ts';
import { toFrames } from './support/frames.ts';

const toClasses = (dialect: typeof chat, name: string): readonly string[] =>
  toFrames(fixture(name)).map((frame) => dialect.classify(frame));

/** Model output that looks like the wire format. */
const tricky: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    '"finish_reason":"stop"',
    '{"error":{"message":"x"}}',
    '"error"',
    '[DONE]',
    '"content":"a',
    '\\"',
    '',
  ),
);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });

const call: fc.Arbitrary<Json> = fc.record({
  index: fc.nat(3),
  function: fc.record({ name: tricky, arguments: tricky }),
});
const delta: fc.Arbitrary<Json> = fc.record(
  {
    role: fc.constant('assistant'),
    content: fc.oneof(
      maybe(tricky),
      fc.array(fc.record({ type: fc.constant('text'), text: tricky }), { maxLength: 1 }),
    ),
    refusal: maybe(tricky),
    reasoning_content: maybe(tricky),
    reasoning: maybe(tricky),
    tool_calls: fc.array(call, { maxLength: 2 }),
    audio: fc.record({ data: tricky }, { requiredKeys: [] }),
    images: fc.array(fc.record({ type: fc.constant('image_url') }), { maxLength: 1 }),
    annotations: fc.array(fc.record({ type: fc.constant('url_citation') }), { maxLength: 1 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Json>;
const choice: fc.Arbitrary<Json> = fc.record(
  {
    index: fc.nat(1),
    delta,
    finish_reason: maybe(fc.constantFrom('stop', 'length', 'tool_calls')),
    logprobs: maybe(fc.record({ content: fc.array(fc.record({ token: tricky }), { maxLength: 1 }) })),
  },
  { requiredKeys: ['index'] },
) as fc.Arbitrary<Json>;
const chunk: fc.Arbitrary<Json> = fc.record(
  {
    id: tricky,
    choices: fc.array(choice, { maxLength: 2 }),
    usage: maybe(fc.record({ prompt_tokens: fc.nat() })),
    error: fc.oneof(
      { weight: 5, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.record({ message: tricky }) },
    ),
    service_tier: fc.constant('default'),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Json>;

describe('the class of a chat frame', () => {
  it('is the same as that of its parsed JSON', () => {
    fc.assert(
      fc.property(chunk, fc.constantFrom(undefined, 1), (value, indent) => {
        const data = JSON.stringify(value, null, indent).replaceAll('\n', ' ');
        expect(chat.classify({ data })).toBe(classifyChunk(JSON.parse(data) as Json));
      }),
      { numRuns: 3000 },
    );
  });

  it('is correct for each frame of a stream, from the role to [DONE]', () => {
    expect(toClasses(chat, 'chat-tool-calls.sse')).toEqual([
      'preamble',
      'content',
      'content',
      'content',
      'content',
      'content',
      'end',
      'usage',
      'end',
    ]);
  });

  it.each([
    ['an error chunk', '{"error":{"message":"Overloaded","code":529}}', 'error'],
    ['an error that is a string', '{"error": "out of memory"}', 'error'],
    ['a null error', '{"error":null,"choices":[{"delta":{"role":"assistant","content":""}}]}', 'preamble'],
    ["Azure's first chunk", '{"choices":[],"prompt_filter_results":[{"prompt_index":0}]}', 'preamble'],
    [
      'an empty role chunk',
      '{"choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":""}}]}',
      'preamble',
    ],
    ['reasoning', '{"choices":[{"index":0,"delta":{"reasoning_content":"Hm"}}]}', 'content'],
    ['audio', '{"choices":[{"index":0,"delta":{"audio":{"transcript":"Hi"}}}]}', 'content'],
    ['an image', '{"choices":[{"index":0,"delta":{"images":[{"type":"image_url"}]}}]}', 'content'],
    ['annotations', '{"choices":[{"index":0,"delta":{"annotations":[{"type":"url_citation"}]}}]}', 'content'],
    ['log probabilities', '{"choices":[{"index":0,"delta":{},"logprobs":{"content":[{"token":"Hi"}]}}]}', 'content'],
    [
      'an empty list of log probabilities',
      '{"choices":[{"index":0,"delta":{},"logprobs":{"content":[],"refusal":null}}]}',
      'preamble',
    ],
    [
      'an empty delta with a finish reason',
      '{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}]}',
      'end',
    ],
    ['a text that quotes an error', '{"choices":[{"delta":{"content":"say \\"error\\": {}"}}]}', 'content'],
    ['text that is not JSON', 'upstream said no', 'content'],
  ])('is correct for %s', (_what, data, kind) => {
    expect(chat.classify({ data })).toBe(kind);
  });
});

describe('the class of a messages frame', () => {
  it('is correct at the start and at the end of a stream', () => {
    expect(new Set(toClasses(messages, 'messages-thinking-and-tools.sse').slice(0, 3))).toEqual(new Set(['preamble']));
    expect(toClasses(messages, 'messages-thinking-and-tools.sse').slice(3, 6)).toEqual([
      'content',
      'content',
      'content',
    ]);
    expect(toClasses(messages, 'messages-thinking-and-tools.sse').slice(-2)).toEqual(['usage', 'end']);
  });

  it('is "error" if the event name or the type is "error"', () => {
    expect(toClasses(messages, 'messages-overloaded.sse').at(-1)).toBe('error');
    expect(messages.classify({ data: '{"type":"error","error":{"type":"api_error","message":"x"}}' })).toBe('error');
  });

  it('is "preamble" for the start of an empty block, but "content" for the start of a call', () => {
    const starts = (block: Json): string =>
      messages.classify({
        event: 'content_block_start',
        data: JSON.stringify({ type: 'content_block_start', index: 0, content_block: block }),
      });
    expect(starts({ type: 'text', text: '' })).toBe('preamble');
    expect(starts({ type: 'thinking', thinking: '', signature: '' })).toBe('preamble');
    expect(starts({ type: 'text', text: 'Hi' })).toBe('content');
    expect(starts({ type: 'tool_use', id: 't', name: 'f', input: {} })).toBe('content');
  });

  it('is "content" for citations and for calls of the provider\'s own tools', () => {
    const citation = { type: 'citations_delta', citation: { type: 'char_location' } };
    const delta = JSON.stringify({ type: 'content_block_delta', index: 0, delta: citation });
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const start = JSON.stringify({ type: 'content_block_start', index: 0, content_block: search });
    expect(messages.classify({ event: 'content_block_delta', data: delta })).toBe('content');
    expect(messages.classify({ data: delta })).toBe('content');
    expect(messages.classify({ event: 'content_block_start', data: start })).toBe('content');
  });

  it('is "preamble" for unknown events', () => {
    expect(messages.classify({ event: 'news', data: '{"type":"news"}' })).toBe('preamble');
  });
});

it('classifies every frame of embeddings as content, because they do not stream', () => {
  expect(embeddings.classify({ data: '{}' })).toBe('content');
});
