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
const pairs = ids.flatMap((from) => ids.filter((to) => to !== from).map((to): [string, string] => [from, to]));
const find = (id: string): Extended => dialects[id] ?? expect.unreachable();

const ofExtensions = (lost: readonly string[]): readonly string[] => lost.filter((path) => path.includes('extensions'));

describe('members of tools and calls that only one dialect has', () => {
  it.each(ids)('are kept if %s is decoded and encoded again', (id) => {
    const { codec, wire } = find(id);
    const { body, lost } = requestVia(codec, codec, wire);
    expect(body).toMatchObject(wire);
    expect(ofExtensions(lost)).toEqual([]);
  });

  it.each(pairs)('are losses of a request in %s that is sent in %s', (from, to) => {
    const { codec, wire, tools, calls } = find(from);
    const { body, lost } = requestVia(codec, find(to).codec, wire);
    expect(ofExtensions(lost)).toEqual([
      ...tools.map((name) => `tools[0].extensions.${from}.${name}`),
      ...calls.map((name) => `turns[1].parts[0].extensions.${from}.${name}`),
    ]);
    for (const name of [...tools, ...calls]) expect(JSON.stringify(body)).not.toContain(name.split('.').at(-1));
  });

  it('are kept in the spelling in which Google writes the call', () => {
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
