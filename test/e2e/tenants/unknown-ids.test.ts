import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredRows } from '../../../plugins/control/control-routes.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { caller, toForm } from '../files/support.ts';

type Call = ReturnType<typeof caller>;

const id = 'thing-made-elsewhere';
const batch = { endpoint: '/v1/chat/completions', completion_window: '24h' };
const job = { model: 'gpt-4o-mini', suffix: 's', method: { type: 'supervised' } };

/** Every request that names a thing at a provider, by its route. */
const requests: readonly (readonly [route: string, body?: (id: string) => object])[] = [
  ['GET /files/{id}'],
  ['GET /files/{id}/content'],
  ['DELETE /files/{id}'],
  ['POST /batches', (input_file_id) => ({ ...batch, input_file_id })],
  ['GET /batches/{id}'],
  ['GET /batches/{id}/output'],
  ['POST /batches/{id}/cancel'],
  ['POST /fine_tuning/jobs', (training_file) => ({ ...job, training_file })],
  ['GET /fine_tuning/jobs/{id}'],
  ['GET /fine_tuning/jobs/{id}/checkpoints'],
  ['GET /fine_tuning/jobs/{id}/events'],
  ['POST /fine_tuning/jobs/{id}/cancel'],
  ['POST /fine_tuning/jobs/{id}/pause'],
  ['POST /fine_tuning/jobs/{id}/resume'],
];

/** The same requests for a provider whose batches have their own form. */
const mapped = requests.filter(([route]) => /^\w+ \/batches\/\{id\}/.test(route));

let gateway: GatewayProcess;
let upstream: TestUpstream;

const saved = (slug: string, api_key: string, { provider = 'openai', ...settings }: Record<string, string> = {}) => ({
  ...{ name: slug, slug, provider, credential: { api_key } },
  settings: { custom_host: `${upstream.origin}/v1`, ...settings },
});

const addWorkspace = async (slug: string): Promise<Call> => {
  await control(gateway, 'POST /workspaces', { body: { name: slug, slug } });
  const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name: slug, scopes: ['completions.write'], workspace_id: slug },
  });
  return caller(gateway, key);
};

/** Returns the paths of the requests with the id that reached the provider, and the status of the answer. */
const ask = async (
  call: Call,
  slug: string,
  [route, body]: (typeof requests)[number],
  named: string = id,
): Promise<{ readonly status: number; readonly heard: boolean }> => {
  const before = upstream.requests.length;
  const headers = { 'x-gw-virtual-key': slug, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const answer = await call(route.replace('{id}', encodeURIComponent(named)), {
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body(named)) }),
  });
  await answer.text();
  const heard = upstream.requests.slice(before).some(({ path, body: sent }) => `${path} ${sent}`.includes(named));
  return { status: answer.status, heard };
};

const goes = async (call: Call, slug: string, these = requests): Promise<void> => {
  for (const request of these)
    expect(await ask(call, slug, request), `${request[0]} at ${slug}`).toEqual({ status: 418, heard: true });
};

const isRefused = async (call: Call, slug: string, { these = requests, named = id } = {}): Promise<void> => {
  for (const request of these) {
    const { status, heard } = await ask(call, slug, request, named);
    expect({ is: [400, 404].includes(status), heard }, `${request[0]} at ${slug}: ${status}`).toEqual({
      is: true,
      heard: false,
    });
  }
};

beforeAll(async () => {
  upstream = await startUpstream((call) => {
    const { method, path } = call.request;
    if (method === 'POST' && path === '/v1/files') return call.json({ id: 'file-of-blue', object: 'file' });
    return call.json({ error: { message: 'Reached.', type: 'x' } }, { status: 418 });
  });
  gateway = await startGateway({
    files: {
      'gateway.json': {
        ...{ store: { url: 'gateway.db' }, trusted_hosts: ['127.0.0.1'] },
        providers: {
          'of-file': {
            ...{ provider: 'openai', credential: { api_key: `\${env:FILE_KEY}` } },
            settings: { custom_host: `${upstream.origin}/v1` },
          },
        },
      },
    },
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), FILE_KEY: 'sk-of-file' },
  });
});
afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

it('every route that names a thing at a provider by its id is tested', () => {
  const tried = new Set(requests.map(([route]) => route));
  const named = declaredRows()
    .filter(({ path }) => /^\/(?:files|batches|fine_tuning\/jobs)\/\{/.test(path))
    .map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/, '{id}')}`);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((route) => !tried.has(route))).toEqual([]);
});

describe('an id that the store does not know', () => {
  let only: Call;
  beforeAll(() => {
    only = caller(gateway);
  });

  it('is forwarded to the provider if there is only one workspace, whoever has saved the provider', async () => {
    await control(gateway, 'POST /providers', { workspace: 'default', body: saved('own', 'sk-1') });
    await control(gateway, 'POST /providers', {
      workspace: 'default',
      body: saved('claude', 'sk-1', { provider: 'anthropic' }),
    });
    await goes(only, 'own');
    await goes(only, 'of-file');
    await goes(only, 'claude', mapped);
  });

  it('is refused if the saved provider says so, or if it would form another path', async () => {
    const body = saved('strict', 'sk-strict', { unknown_ids: 'refuse' });
    await control(gateway, 'POST /providers', { workspace: 'default', body });
    await isRefused(only, 'strict');
    const byPath = requests.filter(([route]) => route.includes('{id}'));
    for (const named of ['x/../thing-of-others', '%2e%2e', 'a b', '..;', 'x?y', 'x#y'])
      await isRefused(only, 'own', { these: byPath, named });
  });

  it('is forwarded or refused depending on who else can use the account', async () => {
    const [red, blue] = [await addWorkspace('red'), await addWorkspace('blue')];
    const save = (workspace: string, body: object) => control(gateway, 'POST /providers', { workspace, body });
    const integrate = (slug: string, workspaces: readonly string[] | null, more: Record<string, string> = {}) =>
      control(gateway, 'POST /integrations', {
        body: { ...saved(slug, `sk-${slug}`, more), workspaces, allow_all_models: true },
      });
    await save('red', saved('alone', 'sk-of-red'));
    await save('red', saved('claude', 'sk-of-red', { provider: 'anthropic' }));
    for (const workspace of ['red', 'blue']) {
      await save(workspace, saved('same', 'sk-same'));
      await save(workspace, saved('same-claude', 'sk-same', { provider: 'anthropic' }));
      await save(workspace, saved('lifted', 'sk-lifted', { unknown_ids: 'allow' }));
    }
    await integrate('for-red', ['red']);
    await integrate('for-both', ['red', 'blue']);
    await integrate('for-all', null);
    await integrate('open', null, { unknown_ids: 'allow' });
    for (const name of ['for-red', 'for-both', 'for-all', 'open'])
      await save('red', { name, slug: name, integration_id: name });

    for (const slug of ['alone', 'for-red', 'lifted', 'open']) await goes(red, slug);
    await goes(red, 'claude', mapped);
    for (const slug of ['same', 'for-both', 'for-all', 'of-file']) await isRefused(red, slug);
    await isRefused(red, 'same-claude', { these: mapped });

    const body = toForm([
      ['purpose', 'batch'],
      ['file', Buffer.from('{}')],
    ]);
    const upload = await blue('POST /files', { headers: { 'x-gw-provider': '@lifted' }, body });
    expect(await upload.json()).toMatchObject({ id: 'file-of-blue' });
    for (const slug of ['same', 'lifted', 'alone']) await isRefused(red, slug, { named: 'file-of-blue' });
    const chat = await red('POST /responses', {
      headers: { 'content-type': 'application/json', 'x-gw-provider': '@lifted' },
      body: JSON.stringify({
        model: 'gpt-4o',
        input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-of-blue' }] }],
      }),
    });
    expect(chat.status).toBe(400);
    expect(await chat.text()).toContain('unknown-reference');
  });
});
