import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { Run } from '../../../../runtime/engine/call/run.ts';
import { conversationNeeds } from '../../../../runtime/engine/capabilities/conversation-needs.ts';
import { hasPlainFunctions, isPlainRequest } from '../../../../runtime/engine/capabilities/plain-request.ts';
import { readNeeds } from '../../../../runtime/engine/capabilities/request-needs.ts';
import { OfferedRequest } from '../../../../runtime/engine/load-balancing/offered-request.ts';
import type { Conversation, MediaPart } from '../../../../schema/conversation/conversation.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { isCapability } from '../../../../schema/model-facts/capability.ts';
import { carriedModality, carriedParts } from '../../../../schema/model-facts/carried-parts.ts';
import type { CarriedPart } from '../../../../schema/model-facts/request-needs.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const conversing = builtinDialects.filter(({ conversation }) => conversation !== undefined);

const needsOf = (dialect: Dialect, body: JsonObject): ReturnType<typeof readNeeds> => {
  const route = { operation: 'converse', dialect: dialect.id, model: 'm', stream: body.stream === true } as const;
  const bytes = Buffer.byteLength(JSON.stringify(body));
  return readNeeds({ route, dialect, body, edits: undefined, bytes });
};

/** Returns the conversation that a body encodes, or undefined for a body of another dialect. */
const decoded = ({ conversation }: Dialect, body: JsonObject): Conversation | undefined => {
  try {
    return conversation?.decodeRequest(body, { scope: '', stream: body.stream === true, model: 'm' });
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
};

const target = { provider: 'p', strict: true, drop: new Set<string>(), scope: '' };

const medium = (media: MediaPart['media'], source: MediaPart['source']): Conversation => ({
  ...carriedParts.tools.sample,
  tools: [],
  turns: [
    {
      role: 'user',
      parts: [
        { kind: 'text', text: 'What is this?' },
        { kind: 'media', media, source },
      ],
    },
  ],
});

const media: readonly (readonly [string, Conversation])[] = (
  [
    ['vision', 'image', 'image/png'],
    ['documents', 'document', 'application/pdf'],
    ['audio-input', 'audio', 'audio/wav'],
    ['video-input', 'video', 'video/mp4'],
  ] as const
).flatMap(([capability, kind, mimeType]) => [
  [capability, medium(kind, { kind: 'base64', mimeType, data: 'AAAA' })],
  [capability, medium(kind, { kind: 'url', url: 'https://example.com/a', mimeType })],
]);

const modalities = ['audio', 'image'].flatMap((kind) => carriedModality(kind) ?? []);

const parts: readonly CarriedPart[] = [carriedParts.tools, carriedParts.schema, ...modalities];

const asked: readonly (readonly [string, Conversation])[] = [
  ...media,
  ...parts.map(({ lack, sample }) => [lack, sample] as const),
  ['reasoning', { ...carriedParts.tools.sample, tools: [], reasoning: { kind: 'effort', effort: 'high' } }],
];

describe('the needs of a request', () => {
  it.each(conversing)('include each capability that an encoded $id request uses', (dialect) => {
    let written = 0;
    for (const [lack, sample] of asked) {
      const { body, lost = [] } = dialect.conversation?.encodeRequest({ ...sample, model: 'm' }, target) ?? {
        body: {},
      };
      const isLost = lost.some((member) =>
        /^(?:turns\[0\]\.parts\[1\](?:\.media)?|modalities|reasoning|tools)$/.test(member),
      );
      const { capabilities, carried } = needsOf(dialect, body);
      if (isLost || !isCapability(lack)) continue;
      written += 1;
      expect(capabilities, `${dialect.id} ${lack}`).toEqual(['chat', lack]);
      if (lack !== 'reasoning') expect(carried.map((part) => part.lack)).toContain(lack);
    }
    expect(written).toBeGreaterThan(2);
  });

  it('match those of the decoded conversation if the request is plain', () => {
    const turn = fc.record({ role: fc.constantFrom('user', 'assistant', 'system'), content: fc.string() });
    const body: fc.Arbitrary<JsonObject> = fc.record(
      {
        messages: fc.array(turn, { minLength: 1, maxLength: 4 }),
        system: fc.string(),
        stream: fc.boolean(),
        max_tokens: fc.integer({ min: 1, max: 9000 }),
        max_completion_tokens: fc.integer({ min: 1, max: 9000 }),
        temperature: fc.constantFrom(0, 0.5, 1),
        stop: fc.constantFrom<JsonObject['stop']>('a', ['b']),
        metadata: fc.constantFrom<JsonObject>({}, { user_id: 'u' }),
        stream_options: fc.constant<JsonObject>({ include_usage: true }),
        user: fc.string(),
      },
      { requiredKeys: ['messages', 'max_tokens'] },
    );
    const compared = new Set<string>();
    fc.assert(
      fc.property(body, fc.constantFrom(...conversing), (given, dialect) => {
        expect(isPlainRequest(given)).toBe(true);
        const conversation = decoded(dialect, given);
        if (conversation === undefined) return;
        const { capabilities, carried } = needsOf(dialect, given);
        const read = conversationNeeds(conversation);
        expect([capabilities, carried]).toEqual([read.capabilities, read.carried]);
        compared.add(dialect.id);
      }),
      lawRuns,
    );
    expect([...compared]).toEqual(expect.arrayContaining(['chat', 'messages', 'cohere']));
  });

  it('match those of the decoded conversation for plain functions in OpenAI’s format', () => {
    const [chat] = conversing.filter(({ id }) => id === 'chat');
    if (chat === undefined) throw new Error('There is chat.');
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
    const turn = fc.oneof(
      fc.record({ role: fc.constantFrom('user', 'assistant', 'system'), content: fc.string() }),
      fc.constant<JsonObject>({ role: 'assistant', content: null, tool_calls: [call] }),
      fc.constant<JsonObject>({ role: 'tool', tool_call_id: 'c', content: 'So.' }),
    );
    const definition = { name: 'f', description: 'Finds.', parameters: { type: 'object' }, strict: true };
    const body: fc.Arbitrary<JsonObject> = fc.record(
      {
        messages: fc.array(turn, { minLength: 1, maxLength: 4 }),
        tools: fc.array(fc.constant<JsonObject>({ type: 'function', function: definition }), {
          minLength: 1,
          maxLength: 3,
        }),
        tool_choice: fc.constantFrom<JsonObject['tool_choice']>('auto', 'none', 'required', {
          type: 'function',
          function: { name: 'f' },
        }),
        parallel_tool_calls: fc.boolean(),
        stream: fc.boolean(),
        max_tokens: fc.integer({ min: 1, max: 9000 }),
      },
      { requiredKeys: ['messages', 'tools'] },
    );
    fc.assert(
      fc.property(body, (given) => {
        expect(hasPlainFunctions(given)).toBe(true);
        const conversation = decoded(chat, given);
        if (conversation === undefined) throw new Error('It is a conversation.');
        const needs = needsOf(chat, given);
        const { capabilities, carried } = conversationNeeds(conversation);
        expect([needs.capabilities, needs.carried, needs.maxOutput]).toEqual([
          capabilities,
          carried,
          conversation.sampling.maxTokens,
        ]);
      }),
      lawRuns,
    );
  });

  it('match the decoded conversation for functions in other dialects, and other tools are not plain', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const messages = [{ role: 'user', content: 'Hi' }];
    for (const dialect of conversing) {
      const conversation = decoded(dialect, { messages, tools, max_tokens: 9 });
      if (conversation === undefined) continue;
      const { capabilities, carried } = conversationNeeds(conversation);
      expect(needsOf(dialect, { messages, tools, max_tokens: 9 }), dialect.id).toMatchObject({ capabilities, carried });
    }
    for (const more of [{ tools: [] }, { tools: [{ type: 'web_search' }] }, { tools: undefined }])
      expect(hasPlainFunctions(JSON.parse(JSON.stringify({ messages, ...more })))).toBe(false);
    expect(hasPlainFunctions({ messages: [{ role: 'user', content: [] }], tools })).toBe(false);
  });

  it.each([
    ['tools', { tools: [] }],
    ['several answers', { n: 2 }],
    ['thinking', { thinking: { type: 'enabled', budget_tokens: 2000 } }],
    ['parts', { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }],
    ['a call', { messages: [{ role: 'assistant', content: '', tool_calls: [] }] }],
    ['instructions in parts', { system: [{ type: 'text', text: 'Hi' }] }],
    ['no messages', { messages: undefined }],
  ])('are read from the whole body if it has %s', (_what, more) => {
    expect(isPlainRequest(JSON.parse(JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], ...more })))).toBe(
      false,
    );
  });

  it('count the length of its texts but not of its data', () => {
    const [chat] = conversing.filter(({ id }) => id === 'chat');
    if (chat === undefined) throw new Error('There is chat.');
    const long = needsOf(chat, { messages: [{ role: 'user', content: 'word '.repeat(1000) }] });
    expect([long.isLongerThan(2000), long.isLongerThan(1000)]).toEqual([false, true]);
    const url = `data:image/png;base64,${'A'.repeat(100_000)}`;
    const seen = needsOf(chat, { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] });
    expect([seen.isLongerThan(2000), seen.isLongerThan(500)]).toEqual([false, true]);
  });

  it('are available to choosers, together with the beginning of the conversation', () => {
    const [chat] = conversing.filter(({ id }) => id === 'chat');
    const body = {
      messages: [{ role: 'user', content: 'Which bridge is it?' }],
      tools: [{ type: 'function', function: { name: 'f' } }],
    };
    const request = new OfferedRequest(new Run(sampleExchange(body), chat), 10);
    expect(request.needs).toEqual(['chat', 'tools']);
    expect(request.prefix).toContain('Which bridge is it?');
    const opaque = sampleExchange({}, { route: { operation: 'opaque' } });
    const passed = new OfferedRequest(new Run(opaque, undefined), 10);
    expect([passed.needs, passed.prefix]).toEqual([[], undefined]);
  });
});
