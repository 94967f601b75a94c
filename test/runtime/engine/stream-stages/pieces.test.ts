import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../../../plugins/dialects/cohere/cohere.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../../plugins/dialects/responses/responses.ts';
import type { Dialect, Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { never, neverInWindows, runStream, type StreamedResult, toBytes } from './kit.ts';

const word = 'plutonium';
const modes = [neverInWindows(word), never(word)];
/** Longer than what windows hold back, so that the stream has begun when the word arrives. */
const before = 'It is water, as far as anybody knows who was there. ';

const event = (type: string, more: object): Frame => ({ event: type, data: JSON.stringify({ type, ...more }) });

const run = (dialect: Dialect, frames: readonly Frame[], guardrail = neverInWindows(word)): Promise<StreamedResult> =>
  runStream({
    client: dialect,
    upstream: dialect,
    chunks: frames.map((frame) => toBytes(dialect, [frame])),
    guardrails: [guardrail],
    config: { output_guardrails: [{ 'test.never': {}, deny: true }] },
  });

const withhold = async (dialect: Dialect, frames: (text: string) => readonly Frame[]): Promise<void> => {
  for (const guardrail of modes) {
    const { bytes, trail } = await run(dialect, frames(word), guardrail);
    expect(bytes.toString()).not.toMatch(/ton|ium/);
    expect(trail.findLast(({ kind }) => kind === 'checked')).toMatchObject({ result: 'denied' });
    const harmless = await run(dialect, frames('pluto'), guardrail);
    expect(harmless.bytes.toString()).toBe(toBytes(dialect, frames('pluto')).toString());
  }
};

const pieces = (text: string): readonly string[] => [text.slice(0, 3), text.slice(3, 6), text.slice(6)];

const usage = { input_tokens: 1, output_tokens: 1 };

/** A message with a text before some blocks. */
const message = (blocks: readonly Frame[]): readonly Frame[] => [
  event('message_start', { message: { id: 'a', model: 'm', content: [], usage } }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: before } }),
  event('content_block_stop', { index: 0 }),
  ...blocks,
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
  event('message_stop', {}),
];

const block = (index: number, content: object, deltas: readonly object[]): readonly Frame[] => [
  event('content_block_start', { index, content_block: content }),
  ...deltas.map((delta) => event('content_block_delta', { index, delta })),
  event('content_block_stop', { index }),
];

describe('a block whose deltas continue a text', () => {
  it('is judged: a summary of the conversation', () =>
    withhold(messages, (text) =>
      message(
        block(
          1,
          { type: 'compaction', content: null },
          pieces(text).map((piece) => ({ type: 'compaction_delta', content: piece })),
        ),
      ),
    ));
});

describe('the text of a block that has not begun or has stopped', () => {
  it.each([0, 7])('is judged like any other: block %i', (index) =>
    withhold(messages, (text) =>
      message(
        pieces(text).map((piece) =>
          event('content_block_delta', { index, delta: { type: 'text_delta', text: piece } }),
        ),
      ),
    ),
  );
});

describe('the words with which a stream reports why it ended', () => {
  it('are judged and wait for the verdict', () =>
    withhold(gemini, (text) => [
      { data: JSON.stringify({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: before }] } }] }) },
      {
        data: JSON.stringify({
          candidates: [
            { index: 0, finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: `Malformed: send(${text})` },
          ],
          usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
        }),
      },
    ]));
});

const chunk = (delta: object, finish: string | null = null): Frame => ({
  data: JSON.stringify({ id: 'a', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] }),
});
const call = (args: unknown): object => ({
  tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: args } }],
});

describe('what a chat chunk contains in a form other than text', () => {
  it.each<readonly [string, (text: string) => object]>([
    ['arguments as an object', (text) => call({ of: text })],
    ['content that is one part', (text) => ({ content: { type: 'text', text } })],
    ['content that is a list of texts', (text) => ({ content: [text] })],
  ])('is judged: %s', (_form, delta) =>
    withhold(chat, (text) => [chunk({ content: before }), chunk(delta(text)), chunk({}, 'stop'), { data: '[DONE]' }]),
  );
});

describe('the words with which a stream quotes its sources', () => {
  const cited = (source: object): readonly Frame[] => [
    chunk({ content: before }),
    chunk({ annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example', ...source } }] }),
    chunk({ content: 'Bye.' }),
    chunk({}, 'stop'),
    { data: '[DONE]' },
  ];
  const candidate = (more: object): Frame => ({ data: JSON.stringify({ candidates: [{ index: 0, ...more }] }) });
  const at = { output_index: 0, content_index: 0, item_id: 'msg_1' };
  const output = (annotations: readonly object[]): readonly object[] => [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: before, annotations }],
    },
  ];

  it.each<readonly [string, Dialect, (text: string) => readonly Frame[]]>([
    ['the title of a page', chat, (text) => cited({ title: text })],
    ['the words of a page', chat, (text) => cited({ title: 'A', content: text })],
    [
      'the words of a document',
      messages,
      (text) =>
        message(
          block(1, { type: 'text', text: '' }, [
            { type: 'text_delta', text: 'So.' },
            {
              type: 'citations_delta',
              citation: { type: 'char_location', cited_text: text, document_index: 0, document_title: 'A' },
            },
            { type: 'text_delta', text: before },
          ]),
        ),
    ],
    [
      'the title of a chunk, in a frame that is not the last',
      gemini,
      (text) => [
        candidate({
          content: { role: 'model', parts: [{ text: before }] },
          groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.example', title: text } }] },
        }),
        candidate({ content: { role: 'model', parts: [{ text: before }] } }),
        candidate({ finishReason: 'STOP' }),
      ],
    ],
    [
      'the title of a page, reported as soon as it is cited',
      responses,
      (text) => {
        const annotation = {
          type: 'url_citation',
          url: 'https://a.example',
          title: text,
          start_index: 0,
          end_index: 2,
        };
        return [
          event('response.created', { response: { id: 'r', model: 'm', created_at: 1, output: [] } }),
          event('response.output_text.delta', { ...at, delta: before }),
          event('response.output_text.annotation.added', { ...at, annotation_index: 0, annotation }),
          event('response.output_item.done', { output_index: 0, item: output([annotation])[0] }),
          event('response.completed', {
            response: { id: 'r', model: 'm', created_at: 1, status: 'completed', output: output([annotation]) },
          }),
        ];
      },
    ],
    [
      'a passage of a document',
      cohere,
      (text) => [
        event('message-start', { id: 'a' }),
        event('content-start', { index: 0, delta: { message: { content: { type: 'text', text: '' } } } }),
        event('content-delta', { index: 0, delta: { message: { content: { text: before } } } }),
        event('citation-start', {
          index: 0,
          delta: {
            message: {
              citations: {
                start: 0,
                end: 2,
                text: 'It',
                sources: [{ type: 'document', id: 'd', document: { title: 'A', snippet: text } }],
              },
            },
          },
        }),
        event('content-end', { index: 0 }),
        event('message-end', { delta: { finish_reason: 'COMPLETE' } }),
      ],
    ],
  ])('are judged: %s', (_where, dialect, frames) => withhold(dialect, frames));
});

describe('what a chat chunk contains beside its content', () => {
  const tool = (more: object): object => ({ executed_tools: [{ index: 0, type: 'search', ...more }] });
  it.each<readonly [string, (text: string) => object]>([
    ['the query of a tool', (text) => tool({ arguments: JSON.stringify({ query: text }) })],
    ['the output of a tool', (text) => tool({ arguments: '{}', output: text })],
    [
      'the search results of a tool',
      (text) => tool({ search_results: { results: [{ title: 'A', content: text, url: 'u' }] } }),
    ],
    ['the output of code', (text) => tool({ code_results: [{ text }] })],
    ['the details of reasoning', (text) => ({ reasoning_details: [{ type: 'reasoning.text', text, index: 0 }] })],
    [
      'a summary of reasoning',
      (text) => ({ reasoning: '', reasoning_details: [{ type: 'reasoning.summary', summary: text }] }),
    ],
    ['a detail that differs from the reasoning', (text) => ({ reasoning: 'Hm.', reasoning_details: [{ text }] })],
    ['what Azure searched for', (text) => ({ context: { intent: JSON.stringify([text]) } })],
    ['what Azure found', (text) => ({ context: { citations: [{ title: 'A', content: text }] } })],
    [
      'a file that was read',
      (text) => ({ annotations: [{ type: 'file', file: { content: [{ type: 'text', text }] } }] }),
    ],
  ])('is judged: %s', (_form, delta) =>
    withhold(chat, (text) => [chunk({ content: before }), chunk(delta(text)), chunk({}, 'stop'), { data: '[DONE]' }]),
  );

  it('is judged before there is any content', () =>
    withhold(chat, (text) => [
      chunk({ annotations: [{ type: 'url_citation', url_citation: { url: 'u', title: text } }] }),
      chunk({ content: before }),
      chunk({}, 'stop'),
      { data: '[DONE]' },
    ]));

  it.each<readonly [string, (text: string) => object]>([
    ['the search results', (text) => ({ search_results: [{ title: text, url: 'u' }] })],
    ['the related questions', (text) => ({ related_questions: [text] })],
  ])('is judged in the chunk itself: %s', (_form, more) =>
    withhold(chat, (text) =>
      [chunk({ content: before }), chunk({ content: 'Bye.' }), chunk({}, 'stop')].map(({ data }, index) => ({
        data: JSON.stringify({ ...JSON.parse(data), ...(index > 0 ? more(text) : {}) }),
      })),
    ),
  );
});

describe('what Gemini has searched for', () => {
  it.each([
    ['before the text', (text: string) => [[], [text]] as const],
    ['after the text', (text: string) => [[text], []] as const],
  ])('is judged with the frame that contains it: %s', (_when, queries) =>
    withhold(gemini, (text) => {
      const [after, first] = queries(text);
      const said = (more: object): Frame => ({ data: JSON.stringify({ candidates: [{ index: 0, ...more }] }) });
      const grounding = (webSearchQueries: readonly string[]): object => ({ groundingMetadata: { webSearchQueries } });
      return [
        said({ content: { role: 'model', parts: [] }, ...grounding(first) }),
        said({ content: { role: 'model', parts: [{ text: before }] }, ...grounding(after) }),
        said({ content: { role: 'model', parts: [{ text: before }] } }),
        said({ finishReason: 'STOP' }),
      ];
    }),
  );

  it('is judged with the titles of what was found before any text', () =>
    withhold(gemini, (title) =>
      [
        { groundingMetadata: { groundingChunks: [{ web: { uri: 'u', title } }] } },
        { content: { role: 'model', parts: [{ text: before }] } },
        { finishReason: 'STOP' },
      ].map((candidate) => ({ data: JSON.stringify({ candidates: [{ index: 0, ...candidate }] }) })),
    ));
});
