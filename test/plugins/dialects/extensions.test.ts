import { describe, expect, it } from 'vitest';
import type { ConversationCodec } from '../../../plugins/sdk/dialect/dialect.ts';
import { exactText, fromExactJson } from '../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import {
  chatCodec,
  cohereCodec,
  converseCodec,
  geminiCodec,
  here,
  messagesCodec,
  requestVia,
  responsesCodec,
} from './support/codecs.ts';

const schema = { type: 'object', properties: {} };
const later = { yet_to_come: [1, { a: null }] };

/** The tools and the call of a request in a dialect, with members that a conversation does not have, and the names of these. */
interface Extended {
  readonly codec: ConversationCodec;
  readonly wire: JsonObject;
  readonly tools: readonly string[];
  readonly calls: readonly string[];
}

const chatTool = { type: 'function', function: { name: 'f', parameters: schema, ...later }, defer_loading: true };
const chatCall = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}', ...later }, namespace: 'n' };

const dialects: Readonly<Record<string, Extended>> = {
  chat: {
    codec: chatCodec,
    wire: {
      tools: [chatTool],
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: null, tool_calls: [chatCall] },
        { role: 'tool', tool_call_id: 'c', content: 'ok' },
      ],
    },
    tools: ['defer_loading', 'function.yet_to_come'],
    calls: ['namespace', 'function.yet_to_come'],
  },
  messages: {
    codec: messagesCodec,
    wire: {
      tools: [
        {
          name: 'f',
          input_schema: schema,
          input_examples: [{ n: 1 }],
          defer_loading: true,
          allowed_callers: ['direct', 'code_execution_20260120'],
          eager_input_streaming: true,
        },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        {
          role: 'assistant',
          content: [
            {
              type: 'tool_use',
              id: 'c',
              name: 'f',
              input: {},
              caller: { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' },
              toolset_name: 't',
            },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'ok' }] }],
        },
      ],
    },
    tools: ['input_examples', 'defer_loading', 'allowed_callers', 'eager_input_streaming'],
    calls: ['caller', 'toolset_name'],
  },
  responses: {
    codec: responsesCodec,
    wire: {
      tools: [
        {
          type: 'function',
          name: 'f',
          parameters: schema,
          strict: false,
          output_schema: { type: 'string' },
          defer_loading: true,
          async: true,
        },
      ],
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        {
          type: 'function_call',
          call_id: 'c',
          name: 'f',
          arguments: '{}',
          namespace: 'n',
          async: true,
          caller: { type: 'program', caller_id: 'p' },
        },
        { type: 'function_call_output', call_id: 'c', output: 'ok' },
      ],
    },
    tools: ['output_schema', 'defer_loading', 'async'],
    calls: ['namespace', 'async', 'caller'],
  },
  gemini: {
    codec: geminiCodec,
    wire: {
      tools: [
        {
          functionDeclarations: [
            { name: 'f', parametersJsonSchema: schema, behavior: 'NON_BLOCKING', response: { type: 'STRING' } },
          ],
        },
      ],
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        {
          role: 'model',
          parts: [{ functionCall: { id: 'c', name: 'f', args: {}, ...later }, partMetadata: { a: 1 } }],
        },
        { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'f', response: { output: 'ok' } } }] },
      ],
    },
    tools: ['behavior', 'response'],
    calls: ['partMetadata', 'functionCall.yet_to_come'],
  },
  converse: {
    codec: converseCodec,
    wire: {
      toolConfig: { tools: [{ toolSpec: { name: 'f', inputSchema: { json: schema }, ...later } }] },
      messages: [
        { role: 'user', content: [{ text: 'Hi' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'c', name: 'f', input: {}, ...later } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'c', content: [{ text: 'ok' }] } }] },
      ],
    },
    tools: ['toolSpec.yet_to_come'],
    calls: ['toolUse.yet_to_come'],
  },
  cohere: {
    codec: cohereCodec,
    wire: {
      tools: [chatTool],
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', tool_calls: [chatCall] },
        { role: 'tool', tool_call_id: 'c', content: 'ok' },
      ],
    },
    tools: ['defer_loading', 'function.yet_to_come'],
    calls: ['namespace', 'function.yet_to_come'],
  },
};

const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };

const ids = Object.keys(dialects);
/** A question with media that have members that a conversation does not have, and the names of these. */
interface WithMedia {
  readonly wire: JsonObject;
  readonly names: readonly string[];
}

const image_url = { url: 'https://a.example/b.png', ...later };
const asked = (...content: readonly JsonObject[]): JsonObject => ({ messages: [{ role: 'user', content }] });

const media: Readonly<Record<string, WithMedia>> = {
  chat: {
    wire: asked({ type: 'image_url', image_url, ...later }),
    names: ['yet_to_come', 'image_url.yet_to_come'],
  },
  messages: {
    wire: asked({
      type: 'image',
      source: { type: 'url', url: 'https://a.example/b.png', ...later },
      transformations: { too_large: 'error' },
    }),
    names: ['transformations', 'source.yet_to_come'],
  },
  responses: {
    wire: {
      input: [
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_file', file_url: 'https://a.example/b.pdf', detail: 'high', ...later }],
        },
      ],
    },
    names: ['detail', 'yet_to_come'],
  },
  gemini: {
    wire: {
      contents: [
        {
          role: 'user',
          parts: [
            {
              fileData: { fileUri: 'https://a.example/b.mp4', mimeType: 'video/mp4', ...later },
              videoMetadata: { fps: 2 },
              mediaResolution: { level: 'MEDIA_RESOLUTION_ULTRA_HIGH' },
            },
          ],
        },
      ],
    },
    names: ['videoMetadata', 'mediaResolution', 'fileData.yet_to_come'],
  },
  converse: {
    wire: asked({ image: { format: 'png', source: { bytes: 'AA==' }, ...later } }),
    names: ['image.yet_to_come'],
  },
  cohere: {
    wire: asked({ type: 'image_url', image_url, ...later }),
    names: ['yet_to_come', 'image_url.yet_to_come'],
  },
};

const pairs = ids.flatMap((from) => ids.filter((to) => to !== from).map((to): [string, string] => [from, to]));
const find = (id: string): Extended => dialects[id] ?? expect.unreachable();

const ofExtensions = (lost: readonly string[]): readonly string[] => lost.filter((path) => path.includes('extensions'));

describe('members that only one dialect has', () => {
  it.each(ids)('of tools and calls are kept if %s is decoded and encoded again', (id) => {
    const { codec, wire } = find(id);
    const { body, lost } = requestVia(codec, codec, wire);
    expect(body).toMatchObject(wire);
    expect(ofExtensions(lost)).toEqual([]);
  });

  it.each(pairs)('of tools and calls are losses of a request in %s that is sent in %s', (from, to) => {
    const { codec, wire, tools, calls } = find(from);
    const { body, lost } = requestVia(codec, find(to).codec, wire);
    expect(ofExtensions(lost)).toEqual([
      ...tools.map((name) => `tools[0].extensions.${from}.${name}`),
      ...calls.map((name) => `turns[1].parts[0].extensions.${from}.${name}`),
    ]);
    for (const name of [...tools, ...calls]) expect(JSON.stringify(body)).not.toContain(name.split('.').at(-1));
  });

  it.each(Object.entries(media))(
    'of media are kept in %s, and are losses in other dialects',
    (from, { wire, names }) => {
      const { codec } = find(from);
      const { body, lost } = requestVia(codec, codec, wire);
      expect(body).toMatchObject(wire);
      expect(ofExtensions(lost)).toEqual([]);
      for (const to of ids.filter((id) => id !== from)) {
        const sent = requestVia(codec, find(to).codec, wire);
        const paths = names.map((name) => `turns[0].parts[0].extensions.${from}.${name}`);
        expect(ofExtensions(sent.lost), to).toEqual(paths);
        expect(JSON.stringify(sent.body)).not.toContain('yet_to_come');
      }
    },
  );

  it("are losses of media in a tool's result", () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' }, ...later };
    const call = { type: 'tool_use', id: 'c', name: 'f', input: {} };
    const result = { type: 'tool_result', tool_use_id: 'c', content: [image] };
    const wire = {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        { role: 'assistant', content: [call] },
        { role: 'user', content: [result] },
      ],
    };
    expect(requestVia(messagesCodec, messagesCodec, wire).body).toMatchObject(wire);
    expect(ofExtensions(requestVia(messagesCodec, responsesCodec, wire).lost)).toEqual([
      'turns[2].parts[0].parts[0].extensions.messages.yet_to_come',
    ]);
  });

  it('of an image that is sent as a file are not written', () => {
    const image_url = { url: 'data:application/pdf;base64,AA==', ...later };
    const wire = { messages: [{ role: 'user', content: [{ type: 'image_url', image_url }] }] };
    expect(requestVia(chatCodec, chatCodec, wire).body).toMatchObject({
      messages: [{ content: [{ type: 'file', file: { file_data: image_url.url } }] }],
    });
    expect(JSON.stringify(requestVia(chatCodec, chatCodec, wire).body)).not.toContain('yet_to_come');
  });

  it('are kept in the spelling in which they are written to Google', () => {
    const call = { function_call: { name: 'f', args: {}, ...later } };
    const wire = {
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [call] },
      ],
    };
    expect(requestVia(geminiCodec, geminiCodec, wire).body).toMatchObject({
      contents: [{}, { parts: [{ functionCall: { name: 'f', args: {}, ...later } }] }],
    });
  });

  it('are no loss with their defaults', () => {
    const { wire } = find('messages');
    const tool = {
      name: 'f',
      input_schema: schema,
      defer_loading: false,
      allowed_callers: ['direct'],
      input_examples: null,
    };
    const call = { type: 'tool_use', id: 'c', name: 'f', input: {}, caller: { type: 'direct' } };
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [call] },
    ];
    const plain = { ...wire, tools: [tool], messages };
    expect(ofExtensions(requestVia(messagesCodec, chatCodec, plain).lost)).toEqual([]);
    expect(requestVia(messagesCodec, messagesCodec, plain).body).toMatchObject({
      tools: [tool],
      messages: [{}, { content: [call] }],
    });
  });

  it('are losses of a custom tool and its calls that are sent as those of a function', () => {
    const wire = {
      tools: [{ type: 'custom', custom: { name: 'f', ...later } }],
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'f', input: 'a', ...later } }] },
      ],
    };
    expect(requestVia(chatCodec, chatCodec, wire).body).toMatchObject(wire);
    const functionsOnly = { ...target, lacks: new Set(['custom-tool'] as const) };
    const { body, lost } = chatCodec.encodeRequest(chatCodec.decodeRequest(wire, here), functionsOnly);
    expect(ofExtensions(lost)).toEqual(['turns[1].parts[0].extensions', 'tools[0].extensions']);
    expect(JSON.stringify(body)).not.toContain('yet_to_come');
  });

  it('keep all digits of their numbers', () => {
    const most = '12345678901234567890';
    const call = `{"type":"tool_use","id":"c","name":"f","input":{},"caller":{"tool_id":${most}}}`;
    const body = fromExactJson(
      `{"max_tokens":9,"tools":[{"name":"f","priority":${most}}],"messages":[{"role":"assistant","content":[${call}]}]}`,
    );
    const written = exactText(messagesCodec.encodeRequest(messagesCodec.decodeRequest(body, here), target).body);
    expect(written).toContain(`"priority":${most}`);
    expect(written).toContain(`"tool_id":${most}`);
  });
});
