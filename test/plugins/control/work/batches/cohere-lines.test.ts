import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../../../plugins/builtin.ts';
import { type LineCodec, lineCodec } from '../../../../../plugins/control/work/batches/batch/line-codec.ts';
import {
  embeddingError,
  toBatchChat,
  toBatchEmbedding,
} from '../../../../../plugins/control/work/batches/providers/cohere-lines.ts';
import type { Account } from '../../../../../plugins/control/work/provider-requests/account.ts';
import { loadCatalogue } from '../../../../../plugins/sdk/plugin/catalogue.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';
import { lineTypes } from '../../../../support/vendors/batches/cohere-schemas.ts';

const text = fc.string({ minLength: 1, maxLength: 20 });

const part = fc.oneof(
  text.map((each) => ({ type: 'text', text: each })),
  fc.record({ url: fc.webUrl(), detail: fc.constantFrom('low', 'auto') }, { requiredKeys: ['url'] }).map((image) => ({
    ...{ type: 'image_url', image_url: image },
  })),
);

const call = fc.record({ name: fc.constantFrom('one', 'two'), arguments: fc.constantFrom('{}', '{"a":1}') });

const message = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user'), content: text }),
  fc.record({ role: fc.constant('user'), content: fc.array(part, { minLength: 1, maxLength: 3 }) }),
  fc.record(
    { role: fc.constant('assistant'), content: text, reasoning_content: text },
    { requiredKeys: ['role', 'content'] },
  ),
  call.map((each) => ({ role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: each }] })),
  text.map((content) => ({ role: 'tool', tool_call_id: 'c', content })),
);

const tool = fc.record(
  { name: text, description: text, parameters: fc.constant({ type: 'object', properties: { a: { type: 'string' } } }) },
  { requiredKeys: ['name'] },
);

const chat = fc.record(
  {
    model: fc.constant('command-a-03-2025'),
    messages: fc.array(message, { minLength: 1, maxLength: 5 }),
    tools: fc.array(
      tool.map((each) => ({ type: 'function', function: each })),
      { minLength: 1, maxLength: 3 },
    ),
    tool_choice: fc.constantFrom('auto', 'none', 'required'),
    ...{ temperature: fc.double({ min: 0, max: 2, noNaN: true }), top_p: fc.double({ min: 0, max: 1, noNaN: true }) },
    ...{ frequency_penalty: fc.double({ min: -2, max: 2, noNaN: true }), seed: fc.nat(), max_tokens: fc.nat() },
    ...{ reasoning_effort: fc.constantFrom('none', 'low', 'high'), logprobs: fc.boolean() },
    ...{ stop: fc.array(text, { minLength: 1, maxLength: 2 }), user: text },
    response_format: fc.constantFrom({ type: 'text' }, { type: 'json_object' }),
  },
  { requiredKeys: ['model', 'messages'] },
) as unknown as fc.Arbitrary<JsonObject>;

const embedding = fc.record(
  {
    model: fc.constant('embed-v4.0'),
    input: fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 })),
    ...{ encoding_format: fc.constant('float'), dimensions: fc.constantFrom(256, 1024), user: text },
    ...{ input_type: fc.constantFrom('search_query', 'clustering'), truncate: fc.constantFrom('NONE', 'END') },
  },
  { requiredKeys: ['model', 'input'] },
) as unknown as fc.Arbitrary<JsonObject>;

const isLine = (type: string, body: JsonObject): boolean =>
  lineTypes.get(type)?.isValid({ custom_id: 'a', body }, { noUndeclaredFields: true } as never) === true;

describe('the lines of Cohere batches', () => {
  let codec: LineCodec;
  beforeAll(async () => {
    codec = lineCodec(await loadCatalogue(builtinPlugins), { provider: 'cohere', settings: {} } as Account);
  });

  it('are validated by the types of datasets', () => {
    const chat = (member: object) =>
      isLine('batch-chat-v2-input', { messages: [{ role: 'user', content: [] }], ...member });
    expect([chat({}), chat({ seed: 1 }), chat({ seed: '1' }), chat({ stop_sequences: [] })]).toEqual([
      ...[true, true, false, false],
    ]);
    expect(chat({ messages: [{ role: 'user', content: 'Hi' }] })).toBe(false);
    expect(chat({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', other: 1 }] }] })).toBe(false);
  });

  it('are valid in datasets, and members that datasets cannot have are reported', () => {
    fc.assert(
      fc.property(chat, (body) => {
        const request = codec.request(body);
        const { value, lost } = toBatchChat(request);
        expect(isLine('batch-chat-v2-input', value)).toBe(true);
        for (const name of ['stop_sequences', 'response_format', 'tool_choice'])
          expect(lost.includes(name)).toBe(request[name] !== undefined);
        for (const name of ['temperature', 'p', 'seed', 'max_tokens', 'frequency_penalty', 'logprobs'])
          expect(value[name]).toEqual(request[name]);
      }),
      lawRuns,
    );
  });

  it('are valid in datasets for embeddings', () => {
    fc.assert(
      fc.property(embedding, (body) => {
        expect(embeddingError(body)).toBeUndefined();
        expect(isLine('batch-embed-v2-input', toBatchEmbedding(body))).toBe(true);
      }),
      lawRuns,
    );
  });
});
