import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
const keys = new Map<string, string>();

beforeAll(async () => {
  upstream = await startUpstream((call) =>
    call.json({
      object: 'list',
      data: ['gpt-4o', 'gpt-4o-mini', 'of-the-vendor'].map((id) => ({ id, object: 'model' })),
    }),
  );
  gateway = await startGateway({
    files: { 'gateway.json': { store: { url: 'gateway.db' }, trusted_hosts: ['127.0.0.1'] } },
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
  const models = (names: readonly string[], enabled: boolean) => names.map((slug) => ({ slug, enabled }));
  const integrations = {
    few: { models: models(['gpt-4o', 'gpt-4o-mini'], true), allow_all_models: false },
    most: { models: models(['gpt-4o'], false), allow_all_models: true },
    other: { models: [], allow_all_models: true },
  };
  for (const workspace of ['red', 'blue', 'green']) {
    await control(gateway, 'POST /workspaces', { body: { name: workspace, slug: workspace } });
    const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
      body: { name: workspace, scopes: ['completions.write'], workspace_id: workspace },
    });
    keys.set(workspace, key);
  }
  for (const [slug, grants] of Object.entries(integrations)) {
    await control(gateway, 'POST /integrations', {
      body: {
        ...{ name: slug, slug, provider: 'openai', credential: { api_key: `sk-${slug}` }, ...grants },
        settings: { custom_host: `${upstream.origin}/v1` },
        workspaces: [slug === 'other' ? 'blue' : 'red'],
      },
    });
    await control(gateway, 'POST /providers', {
      workspace: slug === 'other' ? 'blue' : 'red',
      body: { name: slug, slug, integration_id: slug },
    });
  }
});
afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

const list = async (workspace: string, headers: Record<string, string> = {}): Promise<readonly string[]> => {
  const answer = await fetch(`${gateway.baseUrl}/models`, {
    headers: { 'x-gw-api-key': keys.get(workspace) ?? '', ...headers },
  });
  const { data } = (await answer.json()) as { data: readonly { id: string }[] };
  return data.map(({ id }) => id);
};

it('lists, without a provider, the models that the workspace may call and none of another workspace', async () => {
  const red = await list('red');
  expect(red.filter((id) => id.startsWith('@few/'))).toEqual(['@few/gpt-4o', '@few/gpt-4o-mini']);
  expect(red).toContain('@most/gpt-4o-mini');
  expect(red).not.toContain('@most/gpt-4o');
  expect(red.filter((id) => id.startsWith('@other/'))).toEqual([]);
  const blue = await list('blue');
  expect(blue).toContain('@other/gpt-4o');
  expect(blue.filter((id) => !id.startsWith('@other/'))).toEqual([]);
  expect(await list('green')).toEqual([]);
});

it('lists, for a plan, the models that its saved providers allow', async () => {
  const target = (provider: string, model: string) => ({ provider, override_params: { model } });
  const targets = [target('@few', 'gpt-4o'), target('@few', 'o1'), target('@most', 'gpt-4o'), target('@most', 'o3')];
  const config = JSON.stringify({ strategy: { mode: 'fallback' }, targets });
  expect(await list('red', { 'x-gw-config': config })).toEqual(['gpt-4o', 'o3']);
  expect(await list('red', { 'x-gw-config': JSON.stringify(target('@few', 'o1')) })).toEqual([]);
});

it('lists, for a named provider, the models that it allows', async () => {
  expect(await list('red', { 'x-gw-provider': '@most' })).toEqual(['gpt-4o-mini', 'of-the-vendor']);
  expect(await list('red', { 'x-gw-provider': '@most', 'accept-encoding': 'gzip' })).toHaveLength(2);
  expect(await list('red', { 'x-gw-provider': '@few' })).toEqual(['gpt-4o', 'gpt-4o-mini']);
  expect(await list('blue', { 'x-gw-provider': '@other' })).toEqual(['gpt-4o', 'gpt-4o-mini', 'of-the-vendor']);
});
