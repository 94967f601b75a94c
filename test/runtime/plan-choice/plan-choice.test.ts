import { describe, expect, it } from 'vitest';
import { requestPlan } from '../../../runtime/tenant-plans/request-plan.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { hashPlan } from '../../../schema/plan/hash-plan.ts';
import type { CompileResult, RoutingPlan } from '../../../schema/plan/plan.ts';
import { answer, startServer, type TestServer, type TestServerOptions } from '../server/support/start-server.ts';

const named = (name: string): RoutingPlan => ({ ...requestPlan, name });

const compiled: string[] = [];
const compile = (text: string): CompileResult => {
  compiled.push(text);
  if (text.includes('wrong'))
    return {
      secrets: [],
      diagnostics: [
        {
          code: 'unknown-property',
          severity: 'error',
          message: 'There is no property "wrong".',
          pointer: rootPointer,
          span: { offset: 0, length: 1, line: 1, column: 1 },
        },
      ],
    };
  return { plan: named('compiled'), secrets: [`secret of ${text}`], diagnostics: [] };
};

const start = (defaultConfig?: string, more: Pick<TestServerOptions, 'unknownHeaders'> = {}): Promise<TestServer> =>
  startServer({
    ...more,
    compile,
    ...(defaultConfig === undefined ? {} : { defaultConfig }),
    source: {
      folder: 'configs',
      read: async () => [{ name: 'prod', file: 'configs/prod.json', text: '{}' }],
      toPlan: ({ name }) => ({ plan: named(name), secrets: [], diagnostics: [] }),
    },
    execute: (exchange, plan) => answer(JSON.stringify({ plan: plan.name, secrets: exchange.secrets })),
  });

const ask = async ({ origin }: TestServer, headers: Record<string, string>, path = '/v1/vector_stores') => {
  const response = await fetch(`${origin}${path}`, { headers, method: path === '/v1/messages' ? 'POST' : 'GET' });
  return { status: response.status, label: response.headers.get('x-gw-plan'), body: await response.json() };
};

describe('the plan that serves a request', () => {
  it('is the config of the header, compiled once for each text', async () => {
    await using server = await start();
    compiled.length = 0;
    for (const round of [1, 2, 3])
      expect(await ask(server, { 'x-gw-config': '{"retry":{}}' }), `round ${round}`).toMatchObject({
        status: 200,
        label: expect.stringMatching(/^compiled@[0-9a-f]{12}$/),
        body: { plan: 'compiled', secrets: ['secret of {"retry":{}}'] },
      });
    expect(compiled).toEqual(['{"retry":{}}']);
  });

  it('is the saved config that the header names', async () => {
    await using server = await start();
    expect(await ask(server, { 'x-gw-config': 'prod' })).toMatchObject({ body: { plan: 'prod', secrets: [] } });
    expect(await ask(server, { 'x-gw-config': 'none' })).toMatchObject({
      status: 404,
      body: {
        error: {
          code: 'unknown-config',
          message: expect.stringContaining('Send the name of a config, which is "prod"'),
        },
      },
    });
    expect(await ask(server, { 'x-gw-config': 'Prodd' })).toMatchObject({
      body: { error: { message: 'There is no config "Prodd". Did you mean "prod"?' } },
    });
    expect(await ask(server, { 'x-gw-config': Buffer.from('日本').toString('latin1') })).toMatchObject({
      body: { error: { message: expect.stringContaining('There is no config "日本".') } },
    });
  });

  it('is a minimal config for a virtual key or a saved provider', async () => {
    await using server = await start();
    compiled.length = 0;
    await ask(server, { 'x-gw-virtual-key': 'vk"1' });
    await ask(server, { 'x-gw-provider': '@team/gpt' });
    expect(compiled).toEqual(['{"virtual_key":"vk\\"1"}', '{"provider":"@team/gpt"}']);
  });

  it('is the config completed by a virtual key or a saved provider if the config names none', async () => {
    await using server = await start();
    for (const [config, completed] of [
      ['{ "retry": {} }', '{ "retry": {} ,"virtual_key":"vk"}'],
      ['{}', '{"virtual_key":"vk"}'],
      ['{"provider":"echo"}', '{"provider":"echo"}'],
      ['{"targets":[]}', '{"targets":[]}'],
      ['{"retry":', '{"retry":'],
    ] as const) {
      compiled.length = 0;
      await ask(server, { 'x-gw-config': config, 'x-gw-virtual-key': 'vk' });
      await ask(server, { 'x-gw-config': config, 'x-gw-virtual-key': 'vk' });
      expect(compiled).toEqual([completed]);
    }
  });

  it("is the plan of the caller's own provider if the request names only that", async () => {
    await using server = await start('prod');
    expect(await ask(server, { 'x-gw-provider': 'openai' })).toMatchObject({ body: { plan: 'request' } });
  });

  it('is the default if the caller names nothing, or missing if there is no default', async () => {
    await using withDefault = await start('prod');
    expect(await ask(withDefault, {})).toMatchObject({ body: { plan: 'prod' } });
    await using without = await start();
    expect(await ask(without, {}, '/v1/files')).toMatchObject({
      status: 400,
      label: null,
      body: { error: { code: 'missing-provider', message: expect.stringContaining('Send x-gw-config, ') } },
    });
    await using lenient = await start(undefined, { unknownHeaders: 'ignore' });
    expect(await ask(lenient, { 'x-gw-anything': 'goes', 'X-GW-Conifg': 'prod' })).toMatchObject({
      body: {
        error: {
          message: 'The request names no provider. There is no header x-gw-conifg: did you mean x-gw-config?',
        },
      },
    });
  });

  it('is missing if the config has errors, which the response lists and the gateway caches', async () => {
    await using server = await start();
    compiled.length = 0;
    for (const round of [1, 2])
      expect(await ask(server, { 'x-gw-config': '{"wrong":1}' }), `round ${round}`).toMatchObject({
        status: 400,
        body: {
          error: {
            code: 'invalid-config',
            type: 'invalid_request_error',
            message: expect.stringContaining('There is no property "wrong".'),
            diagnostics: [{ code: 'unknown-property', pointer: '', span: { line: 1, column: 1 } }],
          },
        },
      });
    expect(compiled).toHaveLength(1);
  });

  it('is missing if the config is too large', async () => {
    await using server = await start();
    const config = JSON.stringify({ name: 'x'.repeat(33_000) });
    expect(await ask(server, { 'x-gw-config': config })).toMatchObject({
      status: 431,
      body: { error: { code: 'header-too-large' } },
    });
  });

  it.each([
    ['file:///etc/passwd', 'of x-gw-custom-host', 'Use a URL such as'],
    ['localhost:11434', 'of x-gw-custom-host', 'Use a URL such as'],
    ['https://user@x.example/', 'x.example', 'Use a URL such as'],
    ['http://169.254.169.254/latest', '169.254.169.254', 'The operator can list it'],
    ['http://10.0.0.1', '10.0.0.1', 'The operator can list it'],
    ['http://[fd00::1]:8081', '[fd00::1]:8081', 'The operator can list it'],
    ['http://models.example.com:22', 'models.example.com:22', 'The operator can list it'],
  ])('is missing if the caller chose the host %s, and a hint says who can correct it', async (host, named, hint) => {
    await using server = await start();
    const { status, body } = await ask(server, { 'x-gw-provider': 'openai', 'x-gw-custom-host': host });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: 'host-not-allowed' } } });
    expect(JSON.stringify(body)).toContain(`This gateway may not call the host ${named}: `);
    expect(JSON.stringify(body)).toContain(hint);
    expect(JSON.stringify(body)).not.toContain('user@');
  });

  it('has the hash of its content if the request has no config', () => {
    expect(requestPlan.hash).toBe(hashPlan(requestPlan));
  });
});

describe('requests with too large a header section', () => {
  it('are answered with 431', async () => {
    await using server = await start();
    const response = await fetch(`${server.origin}/v1/x`, { headers: { 'x-filler': 'x'.repeat(70_000) } });
    expect(response.status).toBe(431);
    expect(await response.json()).toMatchObject({ error: { code: 'header-too-large' } });
  });
});
