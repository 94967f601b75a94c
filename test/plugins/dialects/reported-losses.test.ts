import { describe, expect, it } from 'vitest';
import type { ConversationCodec } from '../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import {
  chatCodec,
  cohereCodec,
  converseCodec,
  geminiCodec,
  here,
  messagesCodec,
  responsesCodec,
} from './support/codecs.ts';

const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };

const via = (from: ConversationCodec, to: ConversationCodec, wire: JsonObject) =>
  to.encodeRequest(from.decodeRequest(wire, { ...here, model: 'anthropic.claude-opus-4-6-v1' }), target);

const annotated: JsonObject = {
  model: 'm',
  max_tokens: 9,
  messages: [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: 'Sunny.',
      annotations: [
        { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A', start_index: 0, end_index: 6 } },
      ],
    },
    { role: 'user', content: 'And now?' },
  ],
};
const document: JsonObject = {
  name: 'notes',
  format: 'txt',
  source: { text: 'Words.' },
  context: 'From the attic.',
  citations: { enabled: true },
};
const asked: JsonObject = {
  messages: [{ role: 'user', content: [{ document }, { text: 'What do they say?' }] }],
  inferenceConfig: { maxTokens: 9 },
};
const named: JsonObject = {
  model: 'm',
  max_tokens: 9,
  messages: [{ role: 'user', content: 'What do they say?' }],
  documents: [{ id: 'attic', data: { text: 'Words.' } }],
};

describe('the reported losses of a request', () => {
  it.each<[string, ConversationCodec, ConversationCodec, JsonObject, string]>([
    ["OpenAI's annotations", chatCodec, messagesCodec, annotated, 'turns[1].parts[0].citations'],
    ["OpenAI's annotations", chatCodec, geminiCodec, annotated, 'turns[1].parts[0].citations'],
    ["Converse's citations", converseCodec, chatCodec, asked, 'extensions.converse.citations'],
    ["Converse's citations", converseCodec, geminiCodec, asked, 'extensions.converse.citations'],
    ["Cohere's document ids", cohereCodec, chatCodec, named, 'extensions.cohere.document_ids'],
    ["Cohere's document ids", cohereCodec, messagesCodec, named, 'extensions.cohere.document_ids'],
  ])('include %s (%#)', (_, from, to, wire, path) => {
    expect(via(from, to, wire).lost).toContain(path);
  });

  it.each<[string, ConversationCodec, (body: JsonObject) => unknown, number]>([
    ['chat', chatCodec, ({ stop }) => stop, 4],
    ['gemini', geminiCodec, ({ generationConfig }) => (generationConfig as JsonObject).stopSequences, 5],
    ['cohere', cohereCodec, ({ stop_sequences: stop }) => stop, 5],
  ])('include stop sequences that exceed the limit of %s', (_, to, stopsIn, most) => {
    const stops = ['1', '2', '3', '4', '5', '6'];
    const full = via(messagesCodec, to, { ...annotated, stop_sequences: stops.slice(0, most), messages: [] });
    expect([stopsIn(full.body), full.lost]).toEqual([stops.slice(0, most), []]);
    const { body, lost } = via(messagesCodec, to, { ...annotated, stop_sequences: stops, messages: [] });
    expect([stopsIn(body), lost]).toEqual([stops.slice(0, most), ['sampling.stop']]);
  });

  it.each([
    ['o3', 'max', 'high'],
    ['o4-mini', 'none', 'low'],
    ['gpt-5-mini', 'none', 'minimal'],
    ['gpt-5-mini', 'xhigh', 'high'],
    ['gpt-5.1', 'minimal', 'low'],
    ['gpt-5.1', 'max', 'high'],
    ['gpt-5.1-codex-max', 'max', 'xhigh'],
    ['openai/gpt-5.4', 'max', 'xhigh'],
    ['gpt-5.6', 'max', 'max'],
    ['gpt-5.10', 'minimal', 'low'],
    ['openai/gpt-oss-120b', 'none', 'low'],
    ['gpt-oss:20b', 'max', 'high'],
    ['mistral-small-latest', 'low', 'high'],
    ['mistral-medium-3-5', 'none', 'none'],
    ['mistral-large-latest', 'low', 'low'],
    ['grok-4.3', 'xhigh', 'high'],
    ['another', 'max', 'max'],
    ['gpt-5.4', 'own', 'own'],
  ])('include an effort only if the model does not support it: %s, %s', (model, effort, sent) => {
    const wire = { ...annotated, model, messages: [], output_config: { effort } };
    for (const [to, member] of [
      [chatCodec, { reasoning_effort: sent }],
      [responsesCodec, { reasoning: { effort: sent } }],
    ] as const) {
      const { body, lost } = via(messagesCodec, to, wire);
      expect(body).toMatchObject(member);
      expect(lost).toEqual(sent === effort ? [] : ['reasoning']);
    }
  });

  it('omit document ids and citations that the request does not have', () => {
    const plain = { ...named, documents: ['Words.'] };
    expect(via(cohereCodec, chatCodec, plain).lost.join()).not.toContain('document_ids');
    const bare = { ...annotated, messages: [{ role: 'assistant', content: 'Sunny.', annotations: [] }] };
    expect(via(chatCodec, geminiCodec, bare).lost.join()).not.toContain('citations');
  });
});

it.each([messagesCodec, chatCodec, geminiCodec])(
  'sends the context of a Converse document to providers of other formats (%#)',
  (to) => {
    const body = JSON.stringify(via(converseCodec, to, asked).body);
    expect(body).toContain('From the attic.');
  },
);

it('keeps the citation setting of Converse documents, and sends no internal members', () => {
  const { body } = via(converseCodec, converseCodec, asked);
  expect(body).not.toHaveProperty('citations');
  expect(JSON.stringify(body)).toContain('"citations":{"enabled":true}');
  expect(via(cohereCodec, cohereCodec, named).body).not.toHaveProperty('document_ids');
});
