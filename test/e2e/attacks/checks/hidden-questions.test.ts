import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { sampleBodies } from '../../../support/members/sample-bodies.ts';
import {
  allowed,
  type DialectId,
  denied,
  expectJudged,
  type JudgingGateway,
  startJudging,
  toClient,
} from '../support/judging-gateway.ts';

let world: JudgingGateway;

beforeAll(async () => {
  world = await startJudging();
});
afterAll(() => world[Symbol.asyncDispose]());

type BodyOf = (words: string) => JsonObject;

const user = (content: Json): JsonObject => ({ role: 'user', content });
const turns = (...messages: readonly Json[]): JsonObject => ({ messages });
const items = (...input: readonly Json[]): JsonObject => ({ input });
const google = (parts: Json, ...more: readonly JsonObject[]): JsonObject => ({
  contents: [{ role: 'user', parts }, ...more],
});
const hi = { text: 'Hi.' };

/** Content after the caller's words that would hide them from a reader who judges only the last turn. */
const trailing: Readonly<Partial<Record<DialectId, Readonly<Record<string, BodyOf>>>>> = {
  chat: {
    'an empty turn of the model': (words) => turns(user(words), { role: 'assistant', content: '' }),
    'a prefilled turn of the model': (words) => turns(user(words), { role: 'assistant', content: 'Sure:' }),
  },
  messages: {
    'an empty turn of the model': (words) => turns(user(words), { role: 'assistant', content: '' }),
    'a prefilled turn of the model': (words) => turns(user(words), { role: 'assistant', content: 'Sure:' }),
  },
  responses: {
    'an empty turn of the model': (words) => items(user(words), { role: 'assistant', content: '' }),
    'a prefilled turn of the model': (words) => items(user(words), { role: 'assistant', content: 'Sure:' }),
    reasoning: (words) => items(user(words), { type: 'reasoning', id: 'rs_1', summary: [] }),
    'an item reference': (words) => items(user(words), { type: 'item_reference', id: 'msg_1' }),
    'a web search by the provider': (words) =>
      items(user(words), { type: 'web_search_call', id: 'ws_1', status: 'completed' }),
  },
  gemini: {
    'an empty turn of the model': (words) => google([{ text: words }], { role: 'model', parts: [] }),
    'a prefilled turn of the model': (words) =>
      google([{ text: words }], { role: 'model', parts: [{ text: 'Sure:' }] }),
  },
  converse: {
    'an empty turn of the model': (words) => turns(user([{ text: words }]), { role: 'assistant', content: [] }),
    'a prefilled turn of the model': (words) =>
      turns(user([{ text: words }]), { role: 'assistant', content: [{ text: 'Sure:' }] }),
  },
  cohere: {
    'an empty turn of the model': (words) => turns(user(words), { role: 'assistant', content: '' }),
    'a prefilled turn of the model': (words) => turns(user(words), { role: 'assistant', content: 'Sure:' }),
  },
};

const converseResult = (content: Json): JsonObject => turns(user([{ toolResult: { toolUseId: 't', content } }]));
const responsesResult = (output: Json): JsonObject =>
  items(
    user('Hi.'),
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output },
  );
const document = (more: JsonObject): JsonObject =>
  turns(user([hi, { document: { name: 'd', format: 'txt', source: hi, ...more } }]));

/** Words in places of a body that do not belong to its dialect, or that only few clients use. */
const odd: Readonly<Partial<Record<DialectId, Readonly<Record<string, BodyOf>>>>> = {
  gemini: { 'parts that are a single object': (words) => google({ text: words }) },
  converse: {
    'content that is a single object': (words) => turns(user({ text: words })),
    'the content of a tool result that is a single object': (words) => converseResult({ text: words }),
    'a member that no format documents': (words) => ({ ...turns(user([hi])), invented_member: [{ deep: words }] }),
    'the context of a document': (words) => document({ context: words }),
    'the title of a search result': (words) =>
      turns(user([hi, { searchResult: { source: 'https://a.example', title: words, content: [hi] } }])),
  },
  cohere: {
    'content that is a single object': (words) => turns(user({ type: 'text', text: words })),
    'documents that are a single object': (words) => ({ ...turns(user('Hi.')), documents: { data: { text: words } } }),
    'documents that are a string': (words) => ({ ...turns(user('Hi.')), documents: words }),
  },
  responses: {
    'a tool output that is a single part': (words) => responsesResult({ type: 'input_text', text: words }),
    'a tool output that is another object': (words) => responsesResult({ result: { says: words } }),
  },
  embeddings: {
    'messages without an input': (words) => turns(user(words)),
    'messages beside an input': (words) => ({ input: 'Hi.', ...turns(user(words)) }),
    inputs: (words) => ({ inputs: [words] }),
    'a member that no format documents': (words) => ({ input: 'Hi.', invented_member: [{ deep: words }] }),
  },
  completions: {
    'messages without a prompt': (words) => turns(user(words)),
    'an input without a prompt': (words) => ({ input: words }),
    'a member that no format documents': (words) => ({ prompt: 'Hi.', invented_member: [{ deep: words }] }),
  },
};

const encoded = (words: string, encoding: BufferEncoding = 'utf8'): string =>
  Buffer.from(words, encoding).toString('base64');
const utf16 = (words: string): string => Buffer.from(`\uFEFF${words}`, 'utf16le').toString('base64');

/** A text file in the notations that a provider reads. */
const notations: Readonly<Record<string, (words: string) => string>> = {
  'a data: URL of text': (words) => `data:text/plain,${encodeURIComponent(words)}`,
  'a data: URL of base64': (words) => `data:text/plain;base64,${encoded(words)}`,
  'a data: URL of UTF-16': (words) => `data:text/plain;base64,${utf16(words)}`,
  'bare base64': (words) => encoded(words),
  'bare base64 of UTF-16': utf16,
};

const chatFile = (file_data: string): JsonObject =>
  turns(
    user([
      { type: 'text', text: 'Hi.' },
      { type: 'file', file: { filename: 'a.txt', file_data } },
    ]),
  );
const inputFile = (file_data: string): JsonObject =>
  items(
    user([
      { type: 'input_text', text: 'Hi.' },
      { type: 'input_file', filename: 'a.txt', file_data },
    ]),
  );

/** The parts that can hold a file, and the notations of each. */
const files: readonly (readonly [DialectId, (file: string) => JsonObject, notations: readonly string[]])[] = [
  ['chat', chatFile, Object.keys(notations)],
  ['responses', inputFile, Object.keys(notations)],
  [
    'messages',
    (data) => turns(user([{ type: 'document', source: { type: 'base64', media_type: 'text/plain', data } }])),
    ['bare base64', 'bare base64 of UTF-16', 'a data: URL of text'],
  ],
  [
    'gemini',
    (data) => google([{ inlineData: { mimeType: 'text/plain', data } }, hi]),
    ['bare base64', 'bare base64 of UTF-16'],
  ],
  ['converse', (bytes) => document({ source: { bytes } }), ['bare base64', 'bare base64 of UTF-16']],
];

const answers = (id: DialectId): void => world.upstream.handle((call) => call.json(sampleBodies[id]?.answer ?? {}));

describe.each(Object.entries(trailing))('denied words of a client of %s', (id, cases) => {
  it.each(Object.entries(cases))('are found before %s', async (_what, toBody) => {
    answers(id as DialectId);
    await expectJudged(world, toClient(id as DialectId), toBody);
  });
});

describe.each(Object.entries(odd))('denied words of a client of %s', (id, cases) => {
  it.each(Object.entries(cases))('are found in %s', async (_where, toBody) => {
    answers(id as DialectId);
    await expectJudged(world, toClient(id as DialectId), toBody);
  });
});

describe.each(files)('denied words in a text file of a client of %s', (id, toBody, written) => {
  it.each(written)('are found in %s', async (notation) => {
    answers(id);
    await expectJudged(world, toClient(id), (words) => toBody(notations[notation]?.(words) ?? words));
  });
});

it('refuses a completion without a prompt if a check may deny it', async () => {
  answers('completions');
  const client = toClient('completions');
  expect(await world.ask(client, 'input', { prompt: allowed })).toMatchObject({ status: 200, sent: 1 });
  expect(await world.ask(client, 'input', { prompt: denied })).toMatchObject({ status: 446, sent: 0 });
  expect(await world.ask(client, 'input', {})).toMatchObject({ status: 446, sent: 0 });
});
