import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { type dialects, statusOfRequest, word } from './judge.ts';

type Id = keyof typeof dialects;

const said = `Tell me of ${word}.`;
const base64 = (encoding: BufferEncoding): string => Buffer.from(said, encoding).toString('base64');
const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(said, 'utf16le')]).toString('base64');
const latin1 = Buffer.from(`é ${said}`, 'latin1').toString('base64');

const claude = (content: JsonObject['content'], ...more: readonly JsonObject[]): JsonObject => ({
  model: 'm',
  max_tokens: 9,
  messages: [{ role: 'user', content: content ?? '' }, ...more],
});
const document = (source: JsonObject): JsonObject => claude([{ type: 'document', source }]);
const bedrock = (content: JsonObject['content'], ...more: readonly JsonObject[]): JsonObject => ({
  messages: [{ role: 'user', content: content ?? [] }, ...more],
});
const google = (parts: JsonObject['parts'], ...more: readonly JsonObject[]): JsonObject => ({
  contents: [{ role: 'user', parts: parts ?? [] }, ...more],
});
const commanded = (content: JsonObject['content'], more: JsonObject = {}): JsonObject => ({
  model: 'm',
  messages: [{ role: 'user', content: content ?? '' }],
  ...more,
});

/** Requests that contain the word in places that checks could miss. */
const requests: Readonly<Record<Id, Readonly<Record<string, JsonObject>>>> = {
  messages: {
    'before an empty last turn of the model': claude(said, { role: 'assistant', content: '' }),
    'before the beginning of the answer': claude(said, { role: 'assistant', content: 'Sure:' }),
    'before two turns of the model': claude(
      said,
      { role: 'assistant', content: [] },
      { role: 'assistant', content: [{ type: 'text', text: 'Sure:' }] },
    ),
    'in a block without a type': claude([{ text: said }]),
    'in a block that is a string': claude([said]),
    'in a block of an unknown type': claude([{ type: 'note', note: { words: [said] } }]),
    'in an unknown member': { ...claude('Hi'), memory: { notes: [said] } },
    'in a member of a message': { messages: [{ role: 'user', content: 'Hi', note: said }] },
    'in a result that is an object': claude([{ type: 'tool_result', tool_use_id: 't', content: { text: said } }]),
    'in the title of a search result': claude([
      { type: 'search_result', source: 'https://a.example', title: said, content: [{ type: 'text', text: 'Hi' }] },
    ]),
    'in a text that is an object': claude([{ type: 'text', text: { value: said } }]),
    'in a URL with words': claude([
      { type: 'text', text: 'Hi' },
      { type: 'search_result', source: said, title: 'T', content: [] },
    ]),
    'in a text file': document({ type: 'base64', media_type: 'text/plain', data: base64('utf8') }),
    'in a text file in UTF-16': document({ type: 'base64', media_type: 'text/plain', data: utf16 }),
    'in a text file in Latin 1': document({ type: 'base64', media_type: 'text/plain', data: latin1 }),
    'in a text file that is declared as a PDF': document({
      type: 'base64',
      media_type: 'application/pdf',
      data: base64('utf8'),
    }),
    'in a data: URL': document({
      type: 'base64',
      media_type: 'text/plain',
      data: `data:text/plain,${encodeURIComponent(said)}`,
    }),
  },
  gemini: {
    'before an empty last turn of the model': google([{ text: said }], { role: 'model', parts: [] }),
    'before the beginning of the answer': google([{ text: said }], { role: 'model', parts: [{ text: 'Sure:' }] }),
    'in parts that are a single object': google({ text: said }),
    'in parts that are a string': google(said),
    'in contents that are a string': { contents: said },
    'in a content that is a string': { contents: [said] },
    'in a part of an unknown kind': google([{ note: { words: said } }]),
    'in an unknown member': { ...google([{ text: 'Hi' }]), memory: { notes: [said] } },
    'in the metadata of a part': google([{ text: 'Hi', partMetadata: { note: said } }]),
    'in the metadata of a part, in snake_case': google([{ text: 'Hi', part_metadata: { note: said } }]),
    'in the name of a file': google([
      { text: 'Hi' },
      { file_data: { display_name: said, file_uri: 'https://a.example', mime_type: 'image/png' } },
    ]),
    'in a text file': google([{ inlineData: { mimeType: 'text/plain', data: base64('utf8') } }]),
    'in a text file in UTF-16': google([{ inline_data: { mime_type: 'text/plain', data: utf16 } }]),
    'in a text file in Latin 1': google([{ inline_data: { mime_type: 'text/plain', data: latin1 } }]),
    'in a text file with parameters': google([
      { inlineData: { mimeType: 'text/plain; charset=utf-16le', data: base64('utf16le') } },
    ]),
    'in the parts of a result that are a single object': google([
      {
        functionResponse: {
          name: 'f',
          response: {},
          parts: { inlineData: { mimeType: 'text/plain', data: base64('utf8') } },
        },
      },
    ]),
  },
  converse: {
    'before an empty last turn of the model': bedrock([{ text: said }], { role: 'assistant', content: [] }),
    'before the beginning of the answer': bedrock([{ text: said }], {
      role: 'assistant',
      content: [{ text: 'Sure:' }],
    }),
    'in content that is a single object': bedrock({ text: said }),
    'in content that is a string': bedrock(said),
    'in a block that is a string': bedrock([said]),
    'in the content of a result that is an object': bedrock([
      { toolResult: { toolUseId: 't', content: { text: said } } },
    ]),
    'in the content of a result that is a string': bedrock([{ toolResult: { toolUseId: 't', content: said } }]),
    'in the context of a document': bedrock([
      { text: 'Hi' },
      { document: { name: 'd', format: 'txt', context: said, source: { text: 'Hi' } } },
    ]),
    'in the name of a document': bedrock([
      { text: 'Hi' },
      { document: { name: `a-${word}-b`, format: 'txt', source: { text: 'Hi' } } },
    ]),
    'in the title of a search result': bedrock([
      { searchResult: { source: 'https://a.example', title: said, content: [{ text: 'Hi' }] } },
    ]),
    'in a text file': bedrock([{ document: { name: 'd', format: 'csv', source: { bytes: base64('utf8') } } }]),
    'in a text file in UTF-16': bedrock([{ document: { name: 'd', format: 'txt', source: { bytes: utf16 } } }]),
    'in a text file in Latin 1': bedrock([{ document: { name: 'd', format: 'txt', source: { bytes: latin1 } } }]),
    'in a text file that is declared as a PDF': bedrock([
      { text: 'Hi' },
      { document: { name: 'd', format: 'pdf', source: { bytes: base64('utf8') } } },
    ]),
    'in a document of an unknown format': bedrock([
      { text: 'Hi' },
      { document: { name: 'd', format: 'rtf', source: { text: said } } },
    ]),
    'in the values of a stored prompt': { ...bedrock([{ text: 'Hi' }]), promptVariables: { topic: { text: said } } },
    'in an additional field of the model': {
      ...bedrock([{ text: 'Hi' }]),
      additionalModelRequestFields: { documents: [said] },
    },
    'in an unknown member': { ...bedrock([{ text: 'Hi' }]), memory: { notes: [said] } },
    'in a block of an unknown kind': bedrock([{ note: { words: said } }]),
  },
  cohere: {
    'before an empty last turn of the model': {
      model: 'm',
      messages: [
        { role: 'user', content: said },
        { role: 'assistant', content: '' },
      ],
    },
    'in content that is a single object': commanded({ type: 'text', text: said }),
    'in a block that is a string': commanded([said]),
    'in a block of an unknown type': commanded([{ type: 'note', note: said }]),
    'in documents that are a single object': commanded('Hi', { documents: { data: { text: said } } }),
    'in documents that are a string': commanded('Hi', { documents: said }),
    'in a member of a document': commanded('Hi', { documents: [{ id: 'd', text: said, data: {} }] }),
    'in the data of a document as a string': commanded('Hi', { documents: [{ id: 'd', data: said }] }),
    'in the result of a tool that is a single object': {
      model: 'm',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c', content: { type: 'document', document: { data: { words: said } } } },
      ],
    },
    'in an unknown member': commanded('Hi', { memory: { notes: [said] } }),
  },
};

describe.each(Object.entries(requests))('a request of %s that contains a denied word', (id, cases) => {
  it.each(Object.entries(cases))('is denied if the word is %s', async (_where, body) => {
    expect(await statusOfRequest(id as Id, body)).toBe(446);
  });
});

describe('a request without the word in a place where checks look', () => {
  const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  it.each<readonly [Id, JsonObject]>([
    [
      'messages',
      claude([
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } },
        { type: 'text', text: 'What?' },
      ]),
    ],
    [
      'messages',
      {
        ...claude('Hi'),
        system: said,
        tools: [{ name: 'f', description: said, input_schema: { type: 'object' } }],
        tool_choice: { type: 'auto' },
        stop_sequences: [said],
      },
    ],
    ['messages', claude(said, { role: 'assistant', content: 'No.' }, { role: 'user', content: 'Hi' })],
    ['gemini', google([{ inlineData: { mimeType: 'image/png', data: image } }, { text: 'What?' }])],
    [
      'gemini',
      {
        ...google([{ text: 'Hi' }]),
        system_instruction: { parts: { text: said } },
        tools: [{ functionDeclarations: [{ name: 'f', description: said }] }],
        generationConfig: {
          temperature: 1,
          responseSchema: { type: 'STRING', description: said },
          stop_sequences: [said],
        },
      },
    ],
    ['converse', bedrock([{ image: { format: 'png', source: { bytes: image } } }, { text: 'What?' }])],
    [
      'converse',
      {
        ...bedrock([{ text: 'Hi' }, { cachePoint: { type: 'default' } }]),
        system: [{ text: said }],
        toolConfig: { tools: [{ toolSpec: { name: 'f', description: said, inputSchema: { json: {} } } }] },
        inferenceConfig: { stopSequences: [said] },
        additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } },
      },
    ],
    [
      'cohere',
      commanded([
        { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
        { type: 'text', text: 'What?' },
      ]),
    ],
    [
      'cohere',
      commanded('Hi', {
        tools: [{ type: 'function', function: { name: 'f', description: said, parameters: {} } }],
        response_format: { type: 'json_object', schema: { description: said } },
      }),
    ],
  ])('of %s passes: %j', async (id, body) => {
    expect(await statusOfRequest(id, body)).toBe(200);
  });
});
