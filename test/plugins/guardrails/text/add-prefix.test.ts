import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import { completions } from '../../../../plugins/dialects/completions/completions.ts';
import { addPrefix } from '../../../../plugins/guardrails/request/add-prefix.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { TenantId } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { Verdict } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { replacedTexts } from '../../../../plugins/sdk/texts/replaced-texts.ts';
import { neverCancelled } from '../../../../plugins/testkit/route/cancellation.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';

const toDialect = (id: string): Dialect => {
  const found = builtinDialects.find((dialect) => dialect.id === id);
  if (found === undefined) throw new Error(`There is no dialect "${id}".`);
  return found;
};

interface Prefixed {
  /** The judged texts after the replacements. */
  readonly texts?: readonly string[];
  readonly body?: JsonObject;
}

/** Applies the rule to a request in a dialect. */
const prefixed = async (id: string, json: JsonObject, rule: JsonObject): Promise<Prefixed> => {
  const dialect = toDialect(id);
  const spans = dialect.texts?.(json, 'input') ?? [];
  const check = addPrefix.create(
    { prefix: '> ', applyToRole: 'user', addToExisting: true, onlyIfEmpty: false, ...rule },
    {
      http: { send: () => Promise.reject(new Error('No service.')) },
      timers: createVirtualClock(0),
      placeholder: () => '',
    },
  );
  const { body, replace }: Verdict = await check({
    phase: 'input',
    text: spans.map(({ text }) => text).join('\n'),
    spans,
    metadata: {},
    tenant: 't' as TenantId,
    request: { json, headers: [], dialect: id, operation: dialect.operation },
    target: { provider: 'openai' },
    cancellation: neverCancelled,
  });
  return {
    ...(replace === undefined ? {} : { texts: replacedTexts(spans, replace) }),
    ...(body === undefined ? {} : { body }),
  };
};

const turns = (content: (text: string) => JsonObject, model = 'assistant') => [
  { role: 'user', ...content('one') },
  { role: model, ...content('two') },
  { role: 'user', ...content('three') },
];
const plain = (content: string): JsonObject => ({ content });
const parts = (text: string): JsonObject => ({ content: [{ text }] });
const typed = (text: string): JsonObject => ({ content: [{ type: 'text', text }] });
const geminiParts = (text: string): JsonObject => ({ parts: [{ text }] });

const bodies: readonly (readonly [dialect: string, body: JsonObject])[] = [
  ['chat', { messages: [{ role: 'system', content: 'S' }, ...turns(plain)] }],
  ['chat', { messages: turns(typed) }],
  ['messages', { system: 'S', messages: turns(typed) }],
  ['responses', { instructions: 'S', input: turns(plain) }],
  ['gemini', { contents: turns(geminiParts, 'model') }],
  ['converse', { messages: turns(parts) }],
  ['cohere', { messages: turns(plain) }],
];

describe('default.addPrefix', () => {
  it.each(bodies)('adds the prefix in %s before the judged text of the user', async (dialect, body) => {
    expect(await prefixed(dialect, body, {})).toEqual({ texts: ['> three'] });
  });

  it('adds the prefix to a text that is not a list of messages', async () => {
    expect(await prefixed('responses', { input: 'one' }, {})).toEqual({ texts: ['> one'] });
    expect(await prefixed('completions', { prompt: 'one', suffix: 'end' }, {})).toEqual({ texts: ['> one', 'end'] });
    expect(await prefixed('completions', { prompt: ['one', 'two'] }, {})).toEqual({ texts: ['> one', '> two'] });
    expect(completions.operation).toBe('complete');
  });

  it('does not add the prefix to the result of a tool', async () => {
    const messages = [
      { role: 'assistant', content: 'c' },
      { role: 'tool', content: 'r' },
      { role: 'user', content: 'u' },
    ];
    expect(await prefixed('chat', { messages }, {})).toEqual({ texts: ['r', '> u'] });
  });

  it.each([
    [
      'chat',
      { messages: [{ role: 'system', content: '> S' }, ...turns(plain)] },
      { messages: [{ role: 'system', content: 'S' }, ...turns(plain)] },
    ],
    [
      'chat',
      { messages: [{ role: 'developer', content: [{ type: 'text', text: '> S' }] }] },
      { messages: [{ role: 'developer', content: [{ type: 'text', text: 'S' }] }] },
    ],
    ['chat', { messages: [{ role: 'system', content: '> ' }] }, { messages: [] }],
    ['cohere', { messages: [{ role: 'system', content: '> ' }] }, { messages: [] }],
    ['messages', { system: '> S', messages: [] }, { system: 'S', messages: [] }],
    [
      'messages',
      { system: [{ type: 'text', text: '> S' }], messages: [] },
      { system: [{ type: 'text', text: 'S' }], messages: [] },
    ],
    ['messages', { system: '> ', messages: [] }, { messages: [] }],
    ['responses', { instructions: '> S', input: 'x' }, { instructions: 'S', input: 'x' }],
    ['responses', { instructions: '> ', input: 'x' }, { input: 'x' }],
    [
      'gemini',
      { systemInstruction: { parts: [{ text: '> S' }] }, contents: [] },
      { systemInstruction: { parts: [{ text: 'S' }] }, contents: [] },
    ],
    [
      'gemini',
      { system_instruction: { parts: [{ text: '> S' }] } },
      { system_instruction: { parts: [{ text: 'S' }] } },
    ],
    ['gemini', { systemInstruction: { parts: [{ text: '> ' }] } }, {}],
    ['converse', { system: [{ text: '> S' }, { text: 'T' }] }, { system: [{ text: 'S' }, { text: 'T' }] }],
    ['converse', { system: [{ text: '> ' }] }, {}],
  ])('adds the prefix in %s before the instructions: %j', async (dialect, expected, body) => {
    expect(await prefixed(dialect, body, { applyToRole: 'system' })).toEqual({ body: expected });
  });

  it('leaves a role with a message unchanged if it is only for empty roles', async () => {
    const chat = {
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'u' },
      ],
    };
    expect(await prefixed('chat', chat, { onlyIfEmpty: true })).toEqual({});
    expect(await prefixed('chat', chat, { onlyIfEmpty: true, applyToRole: 'system' })).toEqual({});
    expect(await prefixed('messages', { messages: [] }, { onlyIfEmpty: true, applyToRole: 'system' })).toEqual({
      body: { system: '> ', messages: [] },
    });
  });

  it.each([
    ['chat', { messages: [{ role: 'user', content: '> ' }, ...turns(plain)] }, { messages: turns(plain) }],
    ['messages', { messages: [{ role: 'user', content: '> ' }, ...turns(typed)] }, { messages: turns(typed) }],
    [
      'responses',
      {
        input: [
          { role: 'user', content: '> ' },
          { role: 'user', content: 'x' },
        ],
      },
      { input: 'x' },
    ],
    [
      'gemini',
      { contents: [{ role: 'user', parts: [{ text: '> ' }] }, ...turns(geminiParts, 'model')] },
      { contents: turns(geminiParts, 'model') },
    ],
    [
      'converse',
      { messages: [{ role: 'user', content: [{ text: '> ' }] }, ...turns(parts)] },
      { messages: turns(parts) },
    ],
  ])('adds a separate message in %s if configured', async (dialect, expected, body) => {
    expect(await prefixed(dialect, body, { addToExisting: false })).toEqual({ body: expected });
  });

  it('adds a message at the end if the role has none', async () => {
    const messages = [{ role: 'user', content: 'u' }];
    expect(await prefixed('chat', { messages }, { applyToRole: 'assistant' })).toEqual({
      body: { messages: [...messages, { role: 'assistant', content: '> ' }] },
    });
    expect(await prefixed('gemini', { contents: [] }, { applyToRole: 'assistant' })).toEqual({
      body: { contents: [{ role: 'model', parts: [{ text: '> ' }] }] },
    });
  });

  it('leaves embeddings unchanged', async () => {
    expect(await prefixed('embeddings', { input: 'x' }, {})).toEqual({});
  });

  it('passes, and rejects invalid parameters', () =>
    testGuardrail(addPrefix, [
      {
        parameters: { prefix: 'p' },
        spans: [{ at: toPointer(['messages', 0, 'content']), text: 'x', kind: 'text' }],
        request: { messages: [{ role: 'user', content: 'x' }] },
        verdict: 'pass',
        replaced: ['px'],
      },
      { parameters: {}, verdict: 'refused' },
      { parameters: { prefix: '' }, verdict: 'refused' },
      { parameters: { prefix: 'p', applyToRole: 'tool' }, verdict: 'refused' },
    ]));
});
