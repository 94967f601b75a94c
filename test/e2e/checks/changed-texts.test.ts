import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { hidingPlugin } from '../../support/plugins/hiding-plugin.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicAnswer } from '../../support/vendors/anthropic-wire.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({
    files: {
      'hide.mjs': hidingPlugin,
      'gateway.json': {
        plugins: [{ package: './hide.mjs' }],
        guardrails: {
          background: { async: true, 'hide.slow': { url: `${upstream.origin}/judge`, key: '${env:JUDGE_KEY}' } },
          ordered: {
            sequential: true,
            deny: true,
            'default.contains': { words: ['forbidden'], operator: 'none' },
            'default.regexMatch': { rule: 'allowed' },
          },
        },
      },
    },
    env: { JUDGE_KEY: 'the-judges-key', GW_LOG: 'requests,hooks' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** Occurs in a body only if a test puts it there. */
const secret = '7305551234';
const hiding = {
  before_request_hooks: [{ id: 'hide', type: 'mutator', checks: [{ id: 'hide.numbers', parameters: {} }] }],
};

const toConfig = (provider: string, more: object): string =>
  JSON.stringify({ provider, api_key: 'k', custom_host: `${upstream.origin}/v1`, ...more });

interface Asked {
  readonly path: string;
  readonly body: object | Buffer;
  readonly provider?: string;
  readonly config?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const ask = async ({ path, body, provider = 'openai', config = hiding, headers = {} }: Asked) => {
  const response = await fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': toConfig(provider, config), ...headers },
    body: body instanceof Buffer ? new Uint8Array(body) : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
};

const lastSent = (): string => {
  const request = upstream.requests.at(-1);
  if (request === undefined) throw new Error('Nothing was sent.');
  return request.body.toString();
};

const says = `my number is ${secret}`;

/** A request in each client's dialect that contains the secret in its instructions and in every turn. */
const clients: readonly (readonly [name: string, path: string, body: object])[] = [
  [
    'chat',
    '/v1/chat/completions',
    {
      model: 'm',
      messages: [
        { role: 'system', content: says },
        { role: 'user', content: says },
        {
          role: 'assistant',
          content: says,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify({ n: says }) } }],
        },
        { role: 'tool', tool_call_id: 'c', content: says },
        { role: 'user', content: [{ type: 'text', text: says }] },
      ],
    },
  ],
  [
    'messages',
    '/v1/messages',
    {
      model: 'm',
      max_tokens: 9,
      system: says,
      messages: [
        { role: 'user', content: says },
        { role: 'assistant', content: [{ type: 'text', text: says }] },
        { role: 'user', content: [{ type: 'text', text: says }] },
      ],
    },
  ],
  [
    'responses',
    '/v1/responses',
    {
      model: 'm',
      instructions: says,
      input: [
        { role: 'user', content: says },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: says, annotations: [] }] },
        { role: 'user', content: [{ type: 'input_text', text: says }] },
      ],
    },
  ],
  [
    'gemini',
    '/v1beta/models/m:generateContent',
    {
      systemInstruction: { parts: [{ text: says }] },
      contents: [
        { role: 'user', parts: [{ text: says }] },
        { role: 'model', parts: [{ text: says }] },
        { role: 'user', parts: [{ text: 'what is my number?' }] },
      ],
    },
  ],
  [
    'converse',
    '/model/m/converse',
    {
      system: [{ text: says }],
      messages: [
        { role: 'user', content: [{ text: says }] },
        { role: 'assistant', content: [{ text: says }] },
        { role: 'user', content: [{ text: says }] },
      ],
    },
  ],
  [
    'cohere',
    '/v2/chat',
    {
      model: 'm',
      messages: [
        { role: 'system', content: says },
        { role: 'user', content: says },
        { role: 'assistant', content: says },
        { role: 'user', content: says },
      ],
    },
  ],
  ['completions', '/v1/completions', { model: 'm', prompt: [says, 'x'] }],
];

describe.each(clients)('a number in a request of the %s dialect', (name, path, body) => {
  const providers = name === 'completions' ? ['openai'] : ['openai', 'anthropic', 'google', 'cohere'];

  it.each(providers)('is not sent to %s', async (provider) => {
    upstream.handle((call) => call.json({ error: { message: 'down' } }, { status: 500 }));
    const { status, text } = await ask({ path, body, provider });
    expect(status).toBe(500);
    expect(lastSent()).toContain('[NUMBER_');
    expect(lastSent()).not.toContain(secret);
    expect(text).toContain('"transformed":true');
  });
});

describe('a number in a request', () => {
  const body = { model: 'm', messages: [{ role: 'user', content: says }] };

  it.each([
    '/v1/chat/completions/',
    '/v1//chat/completions',
    '/v1/chat/%63ompletions',
    '/v1/proxy/v1/chat/completions',
    '/chat/completions?a=1',
  ])('is not sent to the provider by another spelling of the path: %s', async (path) => {
    upstream.handle((call) => call.json(openaiAnswer({ text: 'hello' })));
    expect((await ask({ path, body })).status).toBe(200);
    expect(lastSent()).not.toContain(secret);
  });

  it('is not sent to the provider in an encoded body or written with escapes', async () => {
    const path = '/v1/chat/completions';
    upstream.handle((call) => call.json(openaiAnswer({ text: 'hello' })));
    const encoded = gzipSync(JSON.stringify(body));
    const answer = await ask({ path, body: encoded, headers: { 'content-encoding': 'gzip' } });
    if (answer.status === 200) expect(lastSent()).not.toContain(secret);
    else expect(answer.status).toBeGreaterThanOrEqual(400);
    const escaped = JSON.stringify(body).replace('7305', '\\u0037305');
    expect((await ask({ path, body: Buffer.from(escaped) })).status).toBe(200);
    expect(lastSent()).not.toContain('5551234');
  });

  it.each([
    ['openai', openaiAnswer],
    ['anthropic', anthropicAnswer],
  ] as const)('is restored in the answer of %s, including the arguments of a call', async (provider, answer) => {
    upstream.handle((call) => {
      const [placeholder = ''] = /\[NUMBER_\w+\]/.exec(call.request.body.toString()) ?? [];
      call.json(
        answer({
          text: `It is ${placeholder}.`,
          toolCalls: [{ id: 'c', name: 'f', arguments: JSON.stringify({ n: placeholder }) }],
        }),
      );
    });
    for (const [path, more] of [
      ['/v1/chat/completions', {}],
      ['/v1/messages', { max_tokens: 9 }],
    ] as const) {
      const { status, text } = await ask({ path, body: { ...body, ...more }, provider });
      expect(status).toBe(200);
      expect(text).toContain(`It is ${secret}.`);
      expect(text).not.toContain('[NUMBER_');
      expect(JSON.parse(text)).toBeTypeOf('object');
    }
  });

  it('is restored only for its own client, even if other requests run at the same time', async () => {
    const waiting: (() => void)[] = [];
    upstream.handle((call) => {
      const placeholders = [...call.request.body.toString().matchAll(/\[NUMBER_\w+\]/g)].map(([found]) => found);
      seen.push(...placeholders);
      waiting.push(() => call.json(openaiAnswer({ text: seen.join(' ') })));
      if (waiting.length === 4) for (const answer of waiting) answer();
    });
    const seen: string[] = [];
    const numbers = ['1111111', '2222222', '3333333', '4444444'];
    const answers = await Promise.all(
      numbers.map((number) =>
        ask({ path: '/v1/chat/completions', body: { model: 'm', messages: [{ role: 'user', content: number }] } }),
      ),
    );
    answers.forEach(({ text }, index) => {
      const { content } = JSON.parse(text).choices[0].message;
      expect(numbers.filter((number) => content.includes(number))).toEqual([numbers[index]]);
      expect(content.match(/\[NUMBER_/g)).toHaveLength(3);
    });
  });
});

describe('a saved guardrail', () => {
  const body = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] });

  it('that is sequential stops at the first check that fails', async () => {
    upstream.handle((call) => call.json(openaiAnswer({ text: 'hello' })));
    const config = { input_guardrails: ['ordered'] };
    const path = '/v1/chat/completions';
    const denied = await ask({ path, body: body('forbidden'), config });
    expect(denied.status).toBe(446);
    const { hook_results: results } = JSON.parse(denied.text);
    expect(results.before_request_hooks[0].checks.map(({ id }: { id: string }) => id)).toEqual(['default.contains']);
    expect((await ask({ path, body: body('is it allowed?'), config })).status).toBe(200);
    expect((await ask({ path, body: body('is it?'), config })).status).toBe(446);
  });

  it('in the background calls its service with its secret, and logs what it found', async () => {
    const keys: unknown[] = [];
    const judged = new Promise<void>((resolve) => {
      upstream.handle((call) => {
        if (call.request.path !== '/judge') {
          call.json(openaiAnswer({ text: 'hello' }));
          return;
        }
        keys.push(call.request.header('x-key'));
        call.json({}, { status: 403 });
        resolve();
      });
    });
    const config = { input_guardrails: ['background'] };
    const { status, text } = await ask({ path: '/v1/chat/completions', body: body('a question'), config });
    await judged;
    expect(status).toBe(200);
    expect(keys).toEqual(['the-judges-key']);
    expect(text).not.toContain('hook_results');
    await expect
      .poll(() => gateway.records().find(({ kind }) => kind === 'judged'))
      .toMatchObject({
        hook: 'background',
        verdict: false,
        phase: 'input',
        checks: [{ id: 'hide.slow', verdict: false }],
      });
    expect(gateway.printed()).not.toContain('the-judges-key');
    expect(gateway.printed()).not.toContain('a question');
  });
});
