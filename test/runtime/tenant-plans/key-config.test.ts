import { describe, expect, it } from 'vitest';
import type { KeyDefaults } from '../../../plugins/sdk/exchange/exchange.ts';
import { requestPlan } from '../../../runtime/tenant-plans/request-plan.ts';
import type { CompileResult, RoutingPlan } from '../../../schema/plan/plan.ts';
import { holder, scriptedIdentities } from '../../support/in-process/scripted-identities.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';
import { answer, startServer, type TestServer } from '../server/support/start-server.ts';

/** Returns a plan with its own provider. */
const closed = (name: string): RoutingPlan => ({ ...compileConfig('{"provider":"echo"}'), name });

/** Compiles a config that a caller sends, or that is built from its headers. */
const compile = (text: string): CompileResult => ({ plan: closed(text), secrets: [], diagnostics: [] });

const start = (defaults: KeyDefaults, defaultConfig?: string): Promise<TestServer> =>
  startServer({
    identities: scriptedIdentities({ key: holder({ defaults }) }),
    compile,
    ...(defaultConfig === undefined ? {} : { defaultConfig }),
    source: {
      folder: 'configs',
      read: async () => ['prod', 'of-key', 'open'].map((name) => ({ name, file: `configs/${name}.json`, text: '{}' })),
      toPlan: ({ name }) => ({
        plan: name === 'open' ? { ...requestPlan, name } : closed(name),
        secrets: [],
        diagnostics: [],
      }),
    },
    execute: ({ overrides }, plan) =>
      answer(JSON.stringify({ plan: plan.name, from: plan.targets[0]?.from, provider: overrides.provider ?? null })),
  });

const ask = async ({ origin }: TestServer, headers: Record<string, string> = {}, model = 'm') => {
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gw-api-key': 'key', ...headers },
    body: JSON.stringify({ model }),
  });
  return { status: response.status, body: await response.json() };
};

describe("the config of a caller's key", () => {
  it('takes precedence over the default config for requests without a config or a provider', async () => {
    await using server = await start({ config: 'of-key' }, 'prod');
    expect(await ask(server)).toMatchObject({ status: 200, body: { plan: 'of-key' } });
    await using without = await start({}, 'prod');
    expect(await ask(without)).toMatchObject({ status: 200, body: { plan: 'prod' } });
  });

  it.each([
    [{ 'x-gw-config': 'prod' }, 'prod'],
    [{ 'x-gw-config': '{"provider":"echo"}' }, '{"provider":"echo"}'],
    [{ 'x-gw-provider': 'openai' }, 'request'],
    [{ 'x-gw-provider': '@team' }, '{"provider":"@team"}'],
    [{ 'x-gw-virtual-key': 'vk' }, '{"virtual_key":"vk"}'],
  ])('is overridden by %j', async (headers, plan) => {
    for (const allowConfigOverride of [undefined, true]) {
      const override = allowConfigOverride === undefined ? {} : { allowConfigOverride };
      await using server = await start({ config: 'of-key', ...override });
      expect(await ask(server, headers)).toMatchObject({ status: 200, body: { plan } });
    }
  });

  it('is completed by the provider of the model if it names none', async () => {
    await using server = await start({ config: 'open' });
    expect(await ask(server, {}, '@team/m')).toMatchObject({
      status: 200,
      body: { plan: 'open', from: { provider: 'echo' } },
    });
  });

  it('is named in a 503 while it is missing', async () => {
    await using server = await start({ config: 'gone' }, 'prod');
    expect(await ask(server)).toMatchObject({
      status: 503,
      body: { error: { code: 'missing-key-config', message: expect.stringContaining('"gone"') } },
    });
  });
});

describe('the config of a key that allows no override', () => {
  const pinned: KeyDefaults = { config: 'of-key', allowConfigOverride: false };

  it.each(['prod', 'of-key', '{"provider":"echo"}', '{broken'])(
    'rejects a request that sends the config %s',
    async (config) => {
      await using server = await start(pinned);
      expect(await ask(server, { 'x-gw-config': config })).toMatchObject({
        status: 400,
        body: {
          error: { code: 'config-override-refused', message: expect.stringContaining('Omit x-gw-config') },
        },
      });
    },
  );

  it.each([{}, { 'x-gw-provider': 'openai' }, { 'x-gw-provider': '@team' }, { 'x-gw-virtual-key': 'vk' }])(
    'serves a request with %j, whichever provider it names',
    async (headers) => {
      await using server = await start(pinned, 'prod');
      expect(await ask(server, headers)).toMatchObject({ status: 200, body: { plan: 'of-key' } });
    },
  );

  it('uses the provider of the request if it names none', async () => {
    await using server = await start({ config: 'open', allowConfigOverride: false });
    expect(await ask(server, { 'x-gw-provider': 'openai' })).toMatchObject({
      body: { plan: 'open', from: { kind: 'request' }, provider: 'openai' },
    });
    expect(await ask(server, { 'x-gw-virtual-key': 'vk' })).toMatchObject({
      body: { plan: 'open', from: { provider: 'echo' } },
    });
  });

  it('does not restrict a key without a config', async () => {
    await using server = await start({ allowConfigOverride: false });
    expect(await ask(server, { 'x-gw-config': 'prod' })).toMatchObject({ status: 200, body: { plan: 'prod' } });
  });
});
