import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicAnswer } from '../../support/vendors/anthropic-wire.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({ files: { 'gateway.json': {} }, env: { GW_LOG: 'requests' } });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const email = 'ann.lee@example.org';
const says = `I am ${email}, card 4111 1111 1111 1111.`;
const tools = [{ name: 'add' }, { name: 'remove' }];

/** A request with personal data and two tools, in each client's dialect. */
const clients: readonly (readonly [name: string, path: string, body: object])[] = [
  [
    'chat',
    '/v1/chat/completions',
    {
      model: 'm',
      messages: [{ role: 'user', content: says }],
      tools: tools.map((tool) => ({ type: 'function', function: { ...tool, parameters: { type: 'object' } } })),
    },
  ],
  [
    'messages',
    '/v1/messages',
    {
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: says }],
      tools: tools.map((tool) => ({ ...tool, input_schema: { type: 'object' } })),
    },
  ],
  [
    'responses',
    '/v1/responses',
    {
      model: 'm',
      input: says,
      tools: tools.map((tool) => ({ ...tool, type: 'function', parameters: { type: 'object' } })),
    },
  ],
  [
    'gemini',
    '/v1beta/models/m:generateContent',
    { contents: [{ role: 'user', parts: [{ text: says }] }], tools: [{ functionDeclarations: tools }] },
  ],
  [
    'converse',
    '/model/m/converse',
    {
      messages: [{ role: 'user', content: [{ text: says }] }],
      toolConfig: {
        tools: tools.map((tool) => ({ toolSpec: { ...tool, inputSchema: { json: { type: 'object' } } } })),
      },
    },
  ],
  [
    'cohere',
    '/v2/chat',
    {
      model: 'm',
      messages: [{ role: 'user', content: says }],
      tools: tools.map((tool) => ({ type: 'function', function: { ...tool, parameters: { type: 'object' } } })),
    },
  ],
];

const providers = [
  ['openai', openaiAnswer],
  ['anthropic', anthropicAnswer],
] as const;

/** OpenAI supports responses itself, but its answers here are in the chat dialect. */
const pairs = clients.flatMap(([name, path, body]) =>
  providers
    .filter(([provider]) => name !== 'responses' || provider !== 'openai')
    .map(([provider, answer]) => ({ name, path, body, provider, answer })),
);

const ask = async (path: string, body: object, provider: string, config: object) => {
  const target = { provider, api_key: 'k', custom_host: `${upstream.origin}/v1`, ...config };
  const response = await fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(target) },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
};

const sent = (): string => upstream.requests.at(-1)?.body.toString() ?? '';

describe.each(pairs)('a client of $name at $provider', ({ path, body, provider, answer }) => {
  it('sends no personal data to the provider, and gets its own data back', async () => {
    upstream.handle((call) => {
      const [placeholder = ''] = /\[EMAIL_\w+\]/.exec(call.request.body.toString()) ?? [];
      call.json(answer({ text: `Hello ${placeholder}` }));
    });
    const config = { input_guardrails: [{ 'default.pii': { action: 'redact-reversibly' } }] };
    const { status, text } = await ask(path, body, provider, config);
    expect(status).toBe(200);
    expect(sent()).toMatch(/I am \[EMAIL_\w+\], card \[CARD_\w+\]\./);
    expect(text).toContain(`Hello ${email}`);
    expect(text).toContain('"transformed":true');
    expect(gateway.printed()).not.toContain(email);
  });

  it('gets answers with personal data redacted', async () => {
    upstream.handle((call) => call.json(answer({ text: `Write to ${email}.` })));
    const config = { output_guardrails: [{ 'default.pii': { action: 'redact' } }] };
    const { status, text } = await ask(path, body, provider, config);
    expect(status).toBe(200);
    expect(text).toContain('Write to [EMAIL].');
    expect(text).not.toContain(email);
  });

  it('can offer only tools that are allowed', async () => {
    upstream.handle((call) => call.json(answer({ text: 'hello' })));
    const allowed = (names: readonly string[]) => ({
      input_guardrails: [{ 'default.toolAllowlist': { allowed: names, failOnError: true }, deny: true }],
    });
    expect((await ask(path, body, provider, allowed(['add', 'rem*']))).status).toBe(200);
    expect((await ask(path, body, provider, allowed(['add']))).status).toBe(446);
  });

  it('gets only calls of tools that are allowed', async () => {
    upstream.handle((call) => call.json(answer({ toolCalls: [{ id: 'c', name: 'remove', arguments: '{"n":1}' }] })));
    const blocked = (names: readonly string[]) => ({
      output_guardrails: [{ 'default.toolAllowlist': { blocked: names, failOnError: true }, deny: true }],
    });
    expect((await ask(path, body, provider, blocked(['other']))).status).toBe(200);
    const denied = await ask(path, body, provider, blocked(['re*']));
    expect(denied.status).toBe(446);
    expect(denied.text).toContain('"refusedTools":["remove"]');
  });
});

describe('a stream with a guardrail', () => {
  const body = (content: string): object => ({ model: 'm', stream: true, messages: [{ role: 'user', content }] });
  const padding = 'and so we went on to the next town. '.repeat(30);
  const deltas = (text: string): string =>
    [...text.matchAll(/^data: (\{.*)$/gm)]
      .map(([, data = '{}']) => JSON.parse(data).choices?.[0]?.delta?.content ?? '')
      .join('');

  const frame = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

  /** Sends one character per event, so that nothing is found within one piece. */
  const saying = (toText: (request: string) => string): void =>
    upstream.handle((call) => {
      const stream = call.sse();
      for (const content of toText(call.request.body.toString())) stream.send(frame({ content }, null));
      stream.send(frame({}, 'stop'));
      stream.send('data: [DONE]\n\n');
      stream.end();
    });

  it('is redacted, wherever it is split', async () => {
    saying(() => `${padding}Write to ${email}, or to bob@example.org. ${padding}Or ${email}`);
    const config = { output_guardrails: [{ 'default.pii': { action: 'redact' } }] };
    const { status, text } = await ask('/v1/chat/completions', body('hello'), 'openai', config);
    expect(status).toBe(200);
    expect(deltas(text)).toBe(`${padding}Write to [EMAIL], or to [EMAIL]. ${padding}Or [EMAIL]`);
    expect(text).toContain('[DONE]');
  });

  it("restores the client's own data", async () => {
    saying((request) => `Hello ${/\[EMAIL_\w+\]/.exec(request)?.[0]}!`);
    const config = { input_guardrails: [{ 'default.pii': { action: 'redact-reversibly' } }] };
    const { text } = await ask('/v1/chat/completions', body(says), 'openai', config);
    expect(deltas(text)).toBe(`Hello ${email}!`);
    expect(sent()).not.toContain(email);
  });

  it('ends before a blocked secret', async () => {
    const secret = 'postgres://app:s3cr3tdb@db/x';
    saying(() => `${padding}Use ${secret} for that. ${padding}`);
    const config = {
      output_guardrails: [{ 'default.secrets': { categories: ['url-credentials'] }, deny: true }],
    };
    const { text } = await ask('/v1/chat/completions', body('hello'), 'openai', config);
    expect(deltas(text)).toContain('and so we went on');
    expect(deltas(text)).not.toContain('s3cr3tdb');
    expect(text).not.toContain('[DONE]');
    expect(text).toContain('"error"');
  });
});
