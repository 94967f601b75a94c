import { expect, it } from 'vitest';
import { ownSegments } from '../../../plugins/control/control-routes.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { adminKey, callControl, chatUpstream, control, serveStore } from '../../support/gateways/stored-gateway.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';

interface Way {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `m` by default. */
  readonly model?: string;
  /** 200 by default, or 446 if a guardrail denies the request. */
  readonly status?: number;
}

const byConfig = (config: object | string): Way => ({
  headers: { 'x-gw-config': typeof config === 'string' ? config : JSON.stringify(config) },
});
const withModel = { override_params: { model: 'm' } };

/** How requests use each saved resource, by the first segment of its routes. None for resources that no model request needs. */
const ways: Readonly<Record<string, readonly Way[]>> = {
  'api-keys': [byConfig('plain')],
  configs: [byConfig('plain'), {}],
  guardrails: [{ ...byConfig('guarded'), status: 446 }],
  integrations: [byConfig({ provider: '@granted', ...withModel })],
  providers: [{ headers: { 'x-gw-provider': '@own' } }, byConfig({ provider: '@own', ...withModel })],
  'virtual-keys': [{ headers: { 'x-gw-virtual-key': 'virtual' } }, byConfig({ virtual_key: 'virtual', ...withModel })],
  'virtual-models': [{ model: 'quick' }],
  prompts: [
    ...['', '@published', '@latest', '@tested'].map((end) => ({ path: `/prompts/hello${end}/completions` })),
    { path: '/prompts/hello/render' },
    byConfig('prompted'),
    byConfig('pinned'),
    byConfig({ prompt_id: 'hello' }),
    byConfig({ prompt_id: 'hello@tested' }),
  ],
  labels: [{ path: '/prompts/hello@tested/completions' }],
  // Their settings name a guardrail and a config.
  workspaces: [{}, { ...byConfig('denied'), status: 446 }],
  policies: [byConfig('plain')],
  organisation: [],
  ...{ applies: [], caller: [], circuits: [], 'config-facts': [], console: [], kinds: [] },
  ...{ analytics: [], 'audit-logs': [], collections: [], feedback: [], logs: [], 'model-configs': [], usage: [] },
};

const save = async (gateway: GatewayProcess, origin: string): Promise<string> => {
  const post = (path: string, body: object) => control(gateway, `POST ${path}`, { body, workspace: 'away' });
  await control(gateway, 'POST /workspaces', { body: { name: 'away', slug: 'away' } });
  const { id: workspace = '' } = await control(gateway, 'GET /workspaces/away');
  const destination = {
    ...{ provider: 'openai', credential: { api_key: 'sk' } },
    settings: { custom_host: `${origin}/v1` },
  };
  await post('/integrations', { ...destination, name: 'shared', slug: 'shared', workspaces: [workspace] });
  await post('/providers', { name: 'granted', slug: 'granted', integration_id: 'shared' });
  await post('/providers', { ...destination, name: 'own', slug: 'own' });
  await post('/virtual-keys', { ...destination, name: 'virtual', slug: 'virtual' });
  const guardrail = (slug: string, word: string) =>
    post('/guardrails', {
      ...{ name: slug, slug, actions: { deny: true } },
      checks: [{ id: 'contains', parameters: { words: [word], operator: 'none' } }],
    });
  await guardrail('no-hello', 'Hello');
  await guardrail('by-default', 'system-word');
  await post('/prompts/partials', { name: 'rules', slug: 'rules', string: 'Be brief.' });
  const string = JSON.stringify([{ role: 'user', content: 'Greet. {{>rules}}' }]);
  const prompt = { string, parameters: {}, virtual_key: '@own', model: 'm' };
  await post('/prompts', { ...prompt, name: 'hello', slug: 'hello' });
  await control(gateway, 'PUT /prompts/hello', { body: { ...prompt, string }, workspace: 'away' });
  await control(gateway, 'PUT /prompts/hello', { body: { ...prompt, string }, workspace: 'away' });
  await post('/labels', { name: 'tested' });
  await control(gateway, 'PUT /prompts/hello/labels', { body: { label: 'tested', version: 2 }, workspace: 'away' });
  const config = (slug: string, value: object) => post('/configs', { name: slug, slug, config: value });
  await config('plain', { provider: '@own', ...withModel });
  await post('/virtual-models', { name: 'quick', target: '@own/m' });
  await config('guarded', { provider: '@own', ...withModel, input_guardrails: ['no-hello'] });
  await config('denied', { provider: '@own', override_params: { model: 'm', user: 'u' } });
  await config('prompted', { prompt_id: 'hello' });
  await config('pinned', { strategy: { mode: 'fallback' }, targets: [{ prompt_id: 'hello@1' }] });
  await control(gateway, 'PUT /workspaces/away', {
    body: { settings: { config: 'plain', input_guardrails: ['by-default'] } },
  });
  const rate = { conditions: [{ key: 'workspace_id', value: workspace }], group_by: [{ key: 'api_key' }] };
  await post('/policies/rate-limits', { ...rate, name: 'rate', type: 'requests', unit: 'rpd', value: 1_000_000 });
  const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name: 'app', scopes: ['completions.write', 'prompts.render'], workspace_id: 'away' },
  });
  return key;
};

it('the list of resources names every saved resource', () => {
  expect(Object.keys(ways).sort()).toEqual(ownSegments());
});

it.runIf(postgresFolder() !== undefined)(
  'a gateway whose store is unavailable serves everything that is saved, from the first request that needs it',
  async () => {
    const server = await startPostgres(postgresFolder() ?? '');
    try {
      const upstream = await chatUpstream();
      const writer = await serveStore(server.url);
      const key = await save(writer, upstream.origin);
      const gateway = await serveStore(server.url);
      const unread = async (of: GatewayProcess) => {
        const page = await fetch(`${of.origin}/readyz`, { headers: { 'x-gw-api-key': adminKey } });
        const { store } = (await page.json()) as { readonly store: Record<string, unknown> };
        return [store.unread_workspaces, store.unread_prompts];
      };
      for (const each of [gateway, writer]) await expect.poll(() => unread(each)).toEqual([undefined, undefined]);
      await server.crash();
      for (const process of [gateway, writer])
        for (const [segment, each] of Object.entries(ways))
          for (const { path = '/chat/completions', headers = {}, model = 'm', status = 200 } of each) {
            const denied = headers['x-gw-config'] === 'denied' ? 'system-word' : 'Hello?';
            const body = path.startsWith('/prompts')
              ? { variables: {} }
              : { model, messages: [{ role: 'user', content: denied }] };
            const answer = await fetch(`${process.baseUrl}${path}`, {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-gw-api-key': key, ...headers },
              body: JSON.stringify(body),
            });
            const text = await answer.text();
            expect(
              `${segment} ${path} ${headers['x-gw-config'] ?? ''} ${answer.status} ${answer.status === status ? '' : text}`.trim(),
            ).toBe(`${segment} ${path} ${headers['x-gw-config'] ?? ''} ${status}`);
          }
      expect(
        (await callControl(gateway, 'POST /prompts/hello/render', { key, body: { variables: {} } })).text,
      ).toContain('Be brief.');
    } finally {
      await server.stop();
    }
  },
  120_000,
);
