import { readFileSync } from 'node:fs';
import path from 'node:path';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey as admin, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const credential = 'sk-of-the-provider-that-is-saved';

const serve = async (folder: string, store = 'gateway.db'): Promise<GatewayProcess> => {
  const gateway = await startGateway({
    folder,
    args: ['--store', store],
    env: { GW_ADMIN_KEY: admin, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
  onTestFinished(() => gateway.stop());
  return gateway;
};

const vendor = async (): Promise<TestUpstream> => {
  const upstream = await startUpstream((call) => {
    const body = JSON.parse(call.request.body.toString());
    if (body.stream !== true) return call.json(openaiAnswer({ text: `I am ${body.model}.` }));
    const stream = call.sse();
    for (const frame of openaiStream({ text: 'Hello from a stream.' }, { withUsage: false })) stream.send(frame);
    stream.end();
  });
  onTestFinished(() => upstream.close());
  return upstream;
};

interface Answer {
  readonly key: string;
  readonly data: { readonly id: string } & readonly { readonly id: string; readonly name: string }[];
}

/** Makes one call of the control plane. Throws the answer if its status is not 200. */
const control = async (
  { baseUrl }: GatewayProcess,
  request: string,
  { body, key = admin }: { readonly body?: object; readonly key?: string } = {},
): Promise<Answer> => {
  const [method = 'GET', route = '/'] = request.split(' ');
  const answer = await fetch(`${baseUrl}${route}`, {
    method,
    headers: { 'x-gw-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${request}: ${answer.status} ${text}`);
  return JSON.parse(text);
};

interface Saved {
  readonly key: string;
  readonly config: string;
}

/** Saves a provider, a config that names it, and a key for an application. */
const save = async (gateway: GatewayProcess, upstream: TestUpstream): Promise<Saved> => {
  await control(gateway, 'POST /providers', {
    body: {
      name: 'Main',
      slug: 'main',
      provider: 'openai',
      credential: { api_key: credential },
      settings: { custom_host: `${upstream.origin}/v1` },
    },
  });
  await control(gateway, 'POST /configs', {
    body: {
      name: 'App',
      slug: 'app',
      config: { provider: '@main', override_params: { model: 'a-model' }, retry: { attempts: 1 } },
    },
  });
  const { key } = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name: 'app', scopes: ['completions.write'], workspace_id: 'default' },
  });
  return { key, config: 'app' };
};

const toClient = ({ baseUrl }: GatewayProcess, { key, config }: Saved): OpenAI =>
  new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0, defaultHeaders: { 'x-gw-config': config } });

const messages = [{ role: 'user' as const, content: 'Who are you?' }];

const chats = async (gateway: GatewayProcess, saved: Saved): Promise<void> => {
  const client = toClient(gateway, saved);
  const answer = await client.chat.completions.create({ model: 'any', messages });
  expect(answer.choices[0]?.message.content).toBe('I am a-model.');
  const texts: string[] = [];
  for await (const chunk of await client.chat.completions.create({ model: 'any', messages, stream: true }))
    texts.push(chunk.choices[0]?.delta.content ?? '');
  expect(texts.join('')).toBe('Hello from a stream.');
};

const rendered = (gateway: GatewayProcess): Promise<object> =>
  control(gateway, 'POST /prompts/greet/render', { body: { variables: { name: 'Ada' } } });

describe('a gateway with a store', () => {
  const stored = sharedStore();

  it('serves the official client with a saved config and a key created over HTTP, also after a restart', async () => {
    const folder = temporaryFolder();
    const upstream = await vendor();
    const first = await serve(folder);
    const saved = await save(first, upstream);
    await chats(first, saved);
    expect(upstream.requests[0]?.header('authorization')).toBe(`Bearer ${credential}`);
    await control(first, 'POST /prompts', {
      body: {
        name: 'Greet',
        slug: 'greet',
        string: '[{"role":"user","content":"Hello {{name}}"}]',
        parameters: {},
        virtual_key: '@main',
        model: 'm',
      },
    });
    const greeting = JSON.stringify(await rendered(first));
    expect(greeting).toContain('Hello Ada');
    first.signal('SIGTERM');
    expect(await first.exited).toBe(0);
    const second = await serve(folder);
    await chats(second, saved);
    expect(JSON.stringify(await rendered(second))).toBe(greeting);
    for (const file of ['gateway.db', 'gateway.db-wal']) {
      const bytes = readFileSync(path.join(folder, file), 'latin1');
      for (const secret of [credential, saved.key, admin]) expect(bytes.includes(secret), file).toBe(false);
    }
    for (const { printed } of [first, second])
      for (const secret of [credential, saved.key, admin]) expect(printed()).not.toContain(secret);
  });

  it('follows a changed config and a revoked key', async () => {
    const upstream = await vendor();
    const gateway = stored();
    const saved = await save(gateway, upstream);
    await chats(gateway, saved);
    await control(gateway, `PUT /configs/${saved.config}`, {
      body: { config: { provider: '@main', override_params: { model: 'another-model' } } },
    });
    const client = toClient(gateway, saved);
    const answer = await client.chat.completions.create({ model: 'any', messages });
    expect(answer.choices[0]?.message.content).toBe('I am another-model.');
    const keys = await control(gateway, 'GET /api-keys');
    const { id = '' } = keys.data.find(({ name }) => name === 'app') ?? {};
    await control(gateway, `DELETE /api-keys/${id}`);
    await expect
      .poll(() => client.chat.completions.create({ model: 'any', messages }).catch((error) => error.status))
      .toBe(401);
  });

  it('reports on /readyz which version of the saved records it serves', async () => {
    const gateway = stored();
    const plans = async (): Promise<number> => {
      const answer = await fetch(`${gateway.origin}/readyz`, { headers: { 'x-gw-api-key': admin } });
      const { store } = (await answer.json()) as { readonly store: { readonly feeds: { readonly plans: number } } };
      expect(store).toMatchObject({ status: 'ready', feeds: { keys: expect.any(Number) } });
      return store.feeds.plans;
    };
    const before = await plans();
    await control(gateway, 'POST /providers', { body: { name: 'Echo', slug: 'echo-one', provider: 'echo' } });
    expect(await plans()).toBeGreaterThan(before);
    expect(await (await fetch(`${gateway.origin}/readyz`)).json()).toEqual({ status: 'ready' });
  });

  it.skipIf(postgresFolder() === undefined)('shares all records with another process on one PostgreSQL', async () => {
    const server = await startPostgres(postgresFolder() ?? '');
    onTestFinished(() => server.stop());
    const upstream = await vendor();
    const [one, other] = await Promise.all([
      serve(temporaryFolder(), server.url),
      serve(temporaryFolder(), server.url),
    ]);
    const saved = await save(one, upstream);
    await expect
      .poll(() =>
        toClient(other, saved)
          .models.list()
          .then(
            () => 'known',
            (error) => error.status,
          ),
      )
      .not.toBe(401);
    await chats(other, saved);
    await chats(one, saved);
  });
});
