import { ConverseCommand, ConverseStreamCommand, type ConverseStreamOutput } from '@aws-sdk/client-bedrock-runtime';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { bedrockClient } from '../../clients/aws/bedrock-client.ts';
import { received, startDriver } from '../support.ts';
import { converseDriver } from './converse-driver.ts';
import { eventMessage } from './event-message.ts';

const user = { role: 'user', content: [{ text: 'Hi.' }] };
const toolUse = { toolUseId: 'tooluse_1', name: 'look', input: { a: 1 } };
const calling = { role: 'assistant', content: [{ toolUse }] };
const answered = { role: 'user', content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'Sunny.' }] } }] };
const toolConfig = {
  tools: [{ toolSpec: { name: 'look', description: 'Looks.', inputSchema: { json: { type: 'object' } } } }],
};

const hear = (body: JsonObject, verb = 'converse') =>
  converseDriver.hear(
    received(`/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/${verb}`, { messages: [user], ...body }),
  );

const withDocument = (name: string, more: readonly JsonObject[] = [{ text: 'Hi.' }]): JsonObject => ({
  messages: [
    { role: 'user', content: [...more, { document: { name, format: 'pdf', source: { bytes: 'JVBERi0=' } } }] },
  ],
});

describe('the simulated Converse API', () => {
  it('reads a request in the form of the API reference', () => {
    expect(
      hear(
        {
          system: [{ text: 'You are an economist.' }],
          messages: [
            {
              role: 'user',
              content: [
                { text: 'Write an article.' },
                { image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } },
                { document: { format: 'pdf', name: 'My document', source: { bytes: 'JVBERi0=' } } },
              ],
            },
            {
              role: 'assistant',
              content: [{ reasoningContent: { reasoningText: { text: 'Hm.', signature: 'RXFRQg==' } } }, { toolUse }],
            },
            answered,
          ],
          inferenceConfig: { maxTokens: 2048, temperature: 0.5, topP: 0.9 },
          toolConfig: { ...toolConfig, toolChoice: { auto: {} } },
          additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } },
          outputConfig: {
            textFormat: {
              type: 'json_schema',
              structure: { jsonSchema: { name: 'city', schema: '{"type":"object","additionalProperties":false}' } },
            },
          },
        },
        'converse-stream',
      ),
    ).toEqual({
      stream: true,
      model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      system: ['You are an economist.'],
      user: ['Write an article.'],
      images: ['iVBORw0KGgo='],
      documents: ['JVBERi0='],
      tools: [{ name: 'look', schema: { type: 'object' } }],
      calls: [{ id: 'tooluse_1', name: 'look', args: { a: 1 } }],
      results: [{ id: 'tooluse_1', text: 'Sunny.' }],
      proofs: ['RXFRQg=='],
      schema: { type: 'object', additionalProperties: false },
      reasoning: true,
      maxTokens: 2048,
    });
  });

  it.each<[string, JsonObject]>([
    ['model: is not a member', { model: 'a' }],
    ['must start with a user message', { messages: [{ role: 'assistant', content: [{ text: 'a' }] }] }],
    ['must alternate', { messages: [user, user] }],
    ['must end with a user message', { messages: [user, { role: 'assistant', content: [{ text: 'a' }] }] }],
    ['is blank', { messages: [{ role: 'user', content: [{ text: ' ' }] }] }],
    ['content: is empty', { messages: [{ role: 'user', content: [] }] }],
    ['content: must be a list', { messages: [{ role: 'user', content: 'Hi.' }] }],
    ['toolConfig: must be defined', { messages: [user, calling, answered] }],
    ['no call with the id "tooluse_1"', { messages: [answered], toolConfig }],
    ['the calls tooluse_1 have no results', { messages: [user, calling, user], toolConfig }],
    ['must have at least one tool', { toolConfig: { tools: [] } }],
    ['is "empty.pdf". The file name can only contain', withDocument('empty.pdf')],
    ['is "two  spaces"', withDocument('two  spaces')],
    ['must also have a text', withDocument('a', [])],
    [
      'names of documents must be unique',
      withDocument('a', [{ text: 'Hi.' }, { document: { name: 'a', format: 'pdf', source: { bytes: 'JVBERi0=' } } }]),
    ],
    [
      'must match [a-zA-Z0-9_-]{1,64}',
      {
        toolConfig,
        messages: [
          user,
          { role: 'assistant', content: [{ toolUse: { ...toolUse, toolUseId: 'a.b' } }] },
          { role: 'user', content: [{ toolResult: { toolUseId: 'a.b', content: [] } }] },
        ],
      },
    ],
    ['inferenceConfig.max_tokens: is not a member', { inferenceConfig: { max_tokens: 1 } }],
    [
      'must be greater than `thinking.budget_tokens`',
      {
        inferenceConfig: { maxTokens: 100 },
        additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } },
      },
    ],
    ['must have exactly one of', { messages: [{ role: 'user', content: [{ text: 'a', image: {} }] }] }],
  ])('rejects an invalid request: %s', (reason, body) => {
    expect(() => hear(body)).toThrow(reason);
  });
});

describe("an answer of the simulated Converse API, read by AWS's client", () => {
  const ask = async (scenario: string, additionalModelRequestFields = {}) => {
    await using upstream = await startDriver(converseDriver, scenario);
    const { client } = bedrockClient({ origin: upstream.origin, headers: {}, stream: false, retries: 0 });
    const request = {
      modelId: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
      messages: [{ role: 'user' as const, content: [{ text: 'Hi.' }] }],
      additionalModelRequestFields,
    };
    const whole = await client.send(new ConverseCommand(request));
    const events: ConverseStreamOutput[] = [];
    for await (const event of (await client.send(new ConverseStreamCommand(request))).stream ?? []) events.push(event);
    return { whole, events };
  };
  const deltas = (events: readonly ConverseStreamOutput[]) =>
    events.flatMap(({ contentBlockDelta }) => contentBlockDelta?.delta ?? []);

  it('has the same calls whole and in a stream', async () => {
    const { whole, events } = await ask('tools');
    expect(whole).toMatchObject({
      stopReason: 'tool_use',
      usage: { inputTokens: 21, outputTokens: 9, totalTokens: 30 },
    });
    expect(whole.output?.message?.content).toEqual([
      { text: 'Let me look.' },
      { toolUse: { toolUseId: 'call_graz', name: 'get_weather', input: { city: 'Graz', days: 2 } } },
    ]);
    expect(
      deltas(events)
        .map(({ text }) => text ?? '')
        .join(''),
    ).toBe('Let me look.');
    expect(
      deltas(events)
        .map(({ toolUse: use }) => use?.input ?? '')
        .join(''),
    ).toBe('{"city":"Graz","days":2}');
    expect(events.flatMap(({ contentBlockStart }) => contentBlockStart ?? [])).toEqual([
      { contentBlockIndex: 1, start: { toolUse: { toolUseId: 'call_graz', name: 'get_weather' } } },
    ]);
    expect(events.at(-2)?.messageStop?.stopReason).toBe('tool_use');
    expect(events.at(-1)?.metadata?.usage).toMatchObject({ inputTokens: 21, outputTokens: 9 });
  });

  it('has reasoning only if the request enables it', async () => {
    const { whole, events } = await ask('reasoning', { thinking: { type: 'enabled', budget_tokens: 1024 } });
    expect(whole.output?.message?.content?.[0]).toEqual({
      reasoningContent: { reasoningText: { text: 'One and one is two.', signature: 'c2lnbmF0dXJl' } },
    });
    const reasoning = deltas(events).flatMap(({ reasoningContent }) => reasoningContent ?? []);
    expect(reasoning.map(({ text }) => text ?? '').join('')).toBe('One and one is two.');
    expect(reasoning.at(-1)?.signature).toBe('c2lnbmF0dXJl');
    expect((await ask('reasoning')).whole.output?.message?.content).toEqual([{ text: 'Two.' }]);
  });

  it.each([
    ['refusal', 'content_filtered'],
    ['max tokens', 'max_tokens'],
    ['text', 'end_turn'],
  ])('ends with the stop reason of the scenario %s', async (scenario, reason) => {
    const { whole, events } = await ask(scenario);
    expect([whole.stopReason, events.at(-2)?.messageStop?.stopReason]).toEqual([reason, reason]);
  });

  it('is an error with the status 429 if the provider limits the rate', async () => {
    await expect(ask('error')).rejects.toMatchObject({
      name: 'ThrottlingException',
      message: 'Slow down, please.',
      $metadata: { httpStatusCode: 429 },
    });
  });
});

describe('an event stream message', () => {
  it('is encoded as the specification requires', () => {
    // An empty payload without headers: the first of the test vectors of all the vendor's libraries.
    expect(eventMessage({}, '').toString('hex')).toBe('000000100000000005c248eb7d98c8ff');
    expect(eventMessage({}, "{'foo':'bar'}").toString('hex')).toBe(
      '0000001d00000000fd528c5a7b27666f6f273a27626172277dc3653936',
    );
  });
});
