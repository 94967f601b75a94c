import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError } from '../../support/vendors/openai-wire.ts';

/**
 * Targets with different capabilities, as the operator declares them, in groups that call only targets that can serve a request.
 */
let gateway: GatewayProcess;
let upstream: TestUpstream;
let seen = 0;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({
    files: {
      'gateway.json': {
        prices: {
          openai: { eyes: { input: 5, output: 5 }, hands: { input: 1, output: 1 }, long: { input: 9, output: 9 } },
        },
        model_facts: [
          {
            provider: 'openai',
            model: 'hands',
            context: 2000,
            output: 500,
            capabilities: ['chat', 'tools', 'json-schema'],
          },
          {
            provider: 'openai',
            model: 'eyes',
            context: 2000,
            capabilities: ['chat', 'streaming', 'vision', 'reasoning'],
          },
          { provider: 'openai', model: 'long', context: 200_000, capabilities: ['chat', 'streaming'] },
        ],
      },
    },
    env: { GW_TRUSTED_HOSTS: '127.0.0.1', GW_LOG: 'requests' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});
beforeEach(() => {
  upstream.handle((call) => call.json(openaiAnswer({ text: 'Yes.' })));
  seen = upstream.requests.length;
});

const host = (name: string): object => ({
  name,
  api_key: `key-of-${name}`,
  custom_host: `${upstream.origin}/${name}/v1`,
});

const target = (name: string, more: Record<string, unknown> = {}): object => ({
  ...{ provider: 'openai', ...host(name), override_params: { model: name } },
  ...more,
});

const group = (strategy: object, ...targets: readonly object[]): object => ({
  strategy: { require: 'capabilities', ...strategy },
  targets,
});

const all = (strategy: object): object => group(strategy, target('hands'), target('eyes'), target('long'));

/** The targets that were called since the test began, in order. */
const called = (): readonly string[] => upstream.requests.slice(seen).map(({ path }) => path.split('/')[1] ?? '');

const hi = [{ role: 'user', content: 'Hi' }];
const image = { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } };
const pdf = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } };
const withPart = (part: object): object => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, part] }],
});
const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }];
const schema = { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object', properties: {} } } };

const ask = (
  config: object,
  body: object,
  path = '/chat/completions',
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config), ...headers },
    body: JSON.stringify({ model: 'any', messages: hi, ...body }),
  });

interface Problem {
  readonly error: { readonly code: string; readonly message: string };
}

const refusal = async (answer: Response): Promise<readonly [number, string, string]> => {
  const { error }: Problem = JSON.parse(await answer.text());
  return [answer.status, error.code, error.message];
};

describe('a group that requires capabilities', () => {
  it.each([
    ['a question', {}, 'hands'],
    ['an image', withPart(image), 'eyes'],
    ['tools', { tools }, 'hands'],
    ['a schema', { response_format: schema }, 'hands'],
    ['reasoning', { reasoning_effort: 'high' }, 'eyes'],
    ['no reasoning', { reasoning_effort: 'none' }, 'hands'],
    ['a long prompt', { messages: [{ role: 'user', content: 'word '.repeat(4000) }] }, 'long'],
    ['a long answer', { max_completion_tokens: 900 }, 'eyes'],
  ])('sends %s to the first target that can serve it', async (_what, body, expected) => {
    expect((await ask(all({ mode: 'fallback' }), body)).status).toBe(200);
    expect(called()).toEqual([expected]);
  });

  it('counts the tokens of an image by its kind, not by its bytes', async () => {
    const url = `data:image/png;base64,${'A'.repeat(100_000)}`;
    const answer = await ask(all({ mode: 'fallback' }), withPart({ type: 'image_url', image_url: { url } }));
    expect([answer.status, called()]).toEqual([200, ['eyes']]);
  });

  it('streams from a target that can stream, and applies to requests in other formats', async () => {
    upstream.handle((call) => {
      const events = call.sse();
      events.frame({
        id: 'a',
        object: 'chat.completion.chunk',
        model: 'm',
        created: 1,
        choices: [{ index: 0, delta: { content: 'Yes.' }, finish_reason: 'stop' }],
      });
      events.done();
    });
    const streamed = await ask(all({ mode: 'fallback' }), { stream: true });
    expect([streamed.status, (await streamed.text()).includes('Yes.')]).toEqual([200, true]);
    const messages = [
      { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://example.com/cat.png' } }] },
    ];
    const claude = await ask(all({ mode: 'fallback' }), { max_tokens: 10, messages, stream: true }, '/messages');
    expect([claude.status, (await claude.text()).includes('Yes.')]).toEqual([200, true]);
    expect(called()).toEqual(['eyes', 'eyes']);
  });

  it('falls back only to capable targets', async () => {
    upstream.handle((call) => call.json(openaiError('It is down.', 'server_error'), { status: 503 }));
    expect((await ask(all({ mode: 'fallback' }), {})).status).toBe(503);
    expect(called()).toEqual(['hands', 'eyes', 'long']);
    seen = upstream.requests.length;
    expect((await ask(all({ mode: 'fallback' }), { stream: true })).status).toBe(503);
    expect(called()).toEqual(['eyes', 'long']);
  });

  it('draws among the capable targets by weight', async () => {
    const balance = group(
      { mode: 'loadbalance' },
      target('hands', { weight: 1_000_000 }),
      target('eyes', { weight: 1 }),
      target('long', { weight: 0 }),
    );
    for (let at = 0; at < 5; at += 1) expect((await ask(balance, withPart(image))).status).toBe(200);
    expect(called()).toEqual(Array.from({ length: 5 }, () => 'eyes'));
  });

  it('chooses the cheapest of the capable targets', async () => {
    const balance = all({ mode: 'loadbalance', balance: 'price' });
    for (const [body, expected] of [
      [{}, 'hands'],
      [{ stream: true }, 'eyes'],
    ] as const) {
      seen = upstream.requests.length;
      await (await ask(balance, body)).text();
      expect(called()).toEqual([expected]);
    }
  });

  it("checks the request as the target's overrides change it", async () => {
    const longer = target('hands', { override_params: { model: 'hands', max_completion_tokens: 501 } });
    const answer = await ask(group({ mode: 'fallback' }, longer, target('long')), {});
    expect([answer.status, called()]).toEqual([200, ['long']]);
  });

  it('applies the overrides of only a few targets to a long request, and then checks it as the client sent it', async () => {
    const limits = Array.from({ length: 40 }, (_, at) =>
      target('hands', { name: `hands-${at}`, override_params: { model: 'hands', max_completion_tokens: 501 + at } }),
    );
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'a'.repeat(1_000_000) }] }];
    const answer = await ask(group({ mode: 'fallback' }, ...limits, target('mystery')), { messages });
    expect([answer.status, called()]).toEqual([200, ['mystery']]);
  });

  it('keeps a target with an unknown model', async () => {
    const answer = await ask(group({ mode: 'fallback' }, target('hands'), target('mystery')), withPart(image));
    expect([answer.status, called()]).toEqual([200, ['mystery']]);
  });

  it('judges a nested conditional or group by the targets that it can reach', async () => {
    const chosen = (then: string): object => ({
      strategy: { mode: 'conditional', conditions: [{ query: { 'metadata.a': 'b' }, then: 'eyes' }], default: then },
      targets: [target('eyes'), target('hands')],
    });
    const inner = { strategy: { mode: 'loadbalance' }, targets: [target('eyes'), target('long', { weight: 0 })] };
    expect((await ask(group({ mode: 'fallback' }, chosen('hands'), inner), withPart(image))).status).toBe(200);
    expect((await ask(group({ mode: 'fallback' }, chosen('eyes'), inner), withPart(image))).status).toBe(200);
    expect(called()).toEqual(['eyes', 'eyes']);
    const records = gateway.records().slice(-2);
    expect(records[0]?.trail).toMatchObject([
      { kind: 'unable', path: '', branches: [{ branch: 0, lacks: ['vision'] }] },
      { kind: 'attempted' },
    ]);
    expect(records[1]?.trail).not.toContainEqual(expect.objectContaining({ kind: 'unable' }));
  });

  it('answers 422 with what each target lacks, and calls no provider, if no target is capable', async () => {
    const answer = await ask(all({ mode: 'fallback' }), { ...withPart(image), tools });
    expect(answer.headers.get('x-gw-provider')).toBeNull();
    const [status, code, message] = await refusal(answer);
    expect([status, code]).toEqual([422, 'no-capable-target']);
    expect(message).toContain('"hands" lacks vision; "eyes" lacks tools; "long" lacks tools, vision.');
    expect(message).toContain('gw models');
    expect(called()).toEqual([]);
  });

  it('lets an outer fallback continue if no target is capable', async () => {
    const outer = {
      strategy: { mode: 'fallback' },
      targets: [group({ mode: 'fallback' }, target('hands')), target('eyes')],
    };
    const answer = await ask(outer, withPart(image));
    expect([answer.status, called()]).toEqual([200, ['eyes']]);
  });
});

describe('a target whose format cannot express a request', () => {
  const cohere = (): object => ({
    ...{ provider: 'cohere', ...host('cohere'), override_params: { model: 'command-own' } },
  });
  const unknown = (): object => target('mystery');

  it('is skipped for a request with a document if its API does not accept documents', async () => {
    const answer = await ask(group({ mode: 'fallback' }, cohere(), unknown()), withPart(pdf));
    expect([answer.status, called()]).toEqual([200, ['mystery']]);
  });

  it('is skipped for a request that forbids parallel tool calls if its format cannot express that', async () => {
    const answer = await ask(group({ mode: 'fallback' }, cohere(), unknown()), { tools, parallel_tool_calls: false });
    expect([answer.status, called()]).toEqual([200, ['mystery']]);
    const [status, , message] = await refusal(
      await ask(group({ mode: 'fallback' }, cohere()), { tools, parallel_tool_calls: false }),
    );
    expect([status, message]).toEqual([422, expect.stringContaining('"cohere" lacks parallel-tool-calls.')]);
  });

  it('is skipped for an operation that its provider does not have', async () => {
    upstream.handle((call) =>
      call.json({
        object: 'list',
        model: 'm',
        data: [{ object: 'embedding', index: 0, embedding: [1] }],
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
    );
    const claude = { provider: 'anthropic', ...host('claude') };
    const given = group({ mode: 'fallback' }, claude, { provider: 'openai', ...host('open') });
    const answer = await ask(given, { input: 'Hi', messages: undefined }, '/embeddings');
    expect([answer.status, called()]).toEqual([200, ['open']]);
    expect(await refusal(await ask(group({ mode: 'fallback' }, claude), { input: 'Hi' }, '/embeddings'))).toEqual([
      422,
      'no-capable-target',
      expect.stringContaining('"claude" lacks operation.'),
    ]);
  });
});
