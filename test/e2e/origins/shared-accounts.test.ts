import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
const keys = new Map<string, string>();

/** Creates two workspaces whose configs have the same key, each as a literal. */
beforeAll(async () => {
  let files = 0;
  upstream = await startUpstream(({ request: { method, path }, json }) => {
    if (method !== 'POST' || !path.endsWith('/files')) return json(openaiAnswer({ text: 'Hello!' }));
    files += 1;
    return json({ id: `file-${files}`, object: 'file', purpose: 'user_data', bytes: 8, created_at: 1 });
  });
  gateway = await startGateway({
    files: { 'gateway.json': { trusted_hosts: ['127.0.0.1'] } },
    args: ['--store', 'gateway.db'],
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
  for (const name of ['ours', 'theirs']) {
    await control(gateway, 'POST /workspaces', { body: { name, slug: name } });
    const config = { provider: 'openai', api_key: 'sk-of-one-account', custom_host: `${upstream.origin}/v1` };
    await control(gateway, 'POST /configs', { workspace: name, body: { name: 'own', slug: 'own', config } });
    const body = { name, scopes: ['completions.write'], workspace_id: name };
    const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', { body });
    keys.set(name, key);
  }
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const send = async (name: string, path: string, body: FormData | object) => {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'x-gw-api-key': keys.get(name) ?? '',
      'x-gw-config': 'own',
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  });
  const json = (await answer.json()) as { readonly id?: string; readonly error?: { readonly code: string } };
  return { status: answer.status, body: json };
};

const upload = async (name: string): Promise<string> => {
  const form = new FormData();
  form.append('purpose', 'user_data');
  form.append('file', new Blob(['private\n']), 'private.txt');
  const { status, body } = await send(name, '/files', form);
  expect(status).toBe(200);
  return body.id ?? '';
};

const asking = (id: string): readonly (readonly [path: string, body: object])[] => [
  [
    '/chat/completions',
    { model: 'm', messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: id } }] }] },
  ],
  ['/responses', { model: 'm', input: [{ role: 'user', content: [{ type: 'input_file', file_id: id }] }] }],
  ['/anything', { input_file_id: id }],
];

it('a workspace cannot use a file of another workspace, even if the configs of both have the same key', async () => {
  const [own, other] = [await upload('ours'), await upload('theirs')];
  for (const [path, body] of asking(other)) {
    const before = upstream.requests.length;
    expect(await send('ours', path, body), path).toMatchObject({
      status: 400,
      body: { error: { code: 'unknown-reference' } },
    });
    expect(upstream.requests.length, path).toBe(before);
  }
  for (const [path, body] of asking(own)) expect(await send('ours', path, body), path).toMatchObject({ status: 200 });
});
