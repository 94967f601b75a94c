import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../../plugins/control/kernel/store/open/open-store.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, callControl, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import type { TestUpstream } from '../../support/servers/upstream-server.ts';
import {
  answered,
  geminiContents,
  question,
  type Step,
  startWeather,
  step,
  type WeatherClient,
} from './weather-loop.ts';

const programs = postgresFolder();
const env = { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };

const stores = ['SQLite', ...(programs === undefined ? [] : ['PostgreSQL'])];
const folders = new Map(stores.map((kind) => [kind, temporaryFolder({}, afterAll)]));
/** The last process with each store. */
const lasting = new Map<string, GatewayProcess>();

let upstream: TestUpstream;
let server: PostgresServer | undefined;
const gateways: GatewayProcess[] = [];

beforeAll(async () => {
  upstream = await startWeather();
  server = programs === undefined ? undefined : await startPostgres(programs);
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await upstream.close();
  await server?.stop();
});

const start = async (folder: string, store: string): Promise<GatewayProcess> => {
  const gateway = await startGateway({ folder, args: ['--store', store], env });
  gateways.push(gateway);
  return gateway;
};
const stop = async (gateway: GatewayProcess): Promise<void> => {
  gateway.signal('SIGTERM');
  await gateway.exited;
};

/** Creates a key of a workspace that has the provider. */
const readKey = async (gateway: GatewayProcess, workspace: string): Promise<string> => {
  const settings = { custom_host: `${upstream.origin}/v1beta` };
  await callControl(gateway, 'POST /providers', {
    workspace,
    body: { name: 'gemini', slug: 'gemini', provider: 'google', credential: { api_key: 'k' }, settings },
  });
  const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name: 'app', scopes: ['completions.write'], workspace_id: workspace },
  });
  return key;
};

const vercel = ({ baseUrl: baseURL }: GatewayProcess, key: string): WeatherClient => ({
  baseURL,
  headers: { 'x-gw-api-key': key, 'x-gw-provider': '@gemini' },
});
const openai = ({ baseUrl: baseURL }: GatewayProcess, apiKey: string): OpenAI =>
  new OpenAI({ baseURL, apiKey, maxRetries: 0, defaultHeaders: { 'x-gw-provider': '@gemini' } });

const ask = { model: 'gemini-3-pro-preview', input: 'How is the weather in Graz?' };
type Asked = Pick<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'store'>;

/** Returns a new answer and the id of its message. */
const asked = async (client: OpenAI, more: Asked = {}, headers: Record<string, string> = {}) => {
  const { id, output } = await client.responses.create({ ...ask, ...more }, { headers });
  return { id, item: output.find(({ type }) => type === 'message')?.id ?? '' };
};
/** Returns the status of a request that refers to an item. */
const readStatus = async (client: OpenAI, item: string): Promise<number> => {
  const input: OpenAI.Responses.ResponseInput = [
    { role: 'user', content: 'How is the weather in Graz?' },
    { type: 'item_reference', id: item },
    { role: 'user', content: 'And now?' },
  ];
  return client.responses.create({ ...ask, input }).then(
    () => 200,
    (error) => error.status,
  );
};
/** Sends the step that follows a tool call, and checks what the vendor receives. */
const goesOn = async (client: WeatherClient, called: Step, stream: boolean): Promise<void> => {
  const { text } = await step(client, answered(called), stream);
  expect(text).toBe('It rains.');
  const sent: JsonObject = JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '{}');
  expect(sent.contents).toMatchObject(geminiContents);
};

describe.each(stores)('items named before a restart, in %s', (kind) => {
  const folder = folders.get(kind) ?? '';
  let again: GatewayProcess;
  let key: string;
  let otherKey: string;
  let whole: Step;
  let streamed: Step;
  let rows: readonly { readonly id: string }[];
  /** The ids of items, by how they were requested. */
  const items: Record<string, string> = {};
  /** The statuses of references in the process that had answered. */
  let before: readonly number[];

  const unkept = ['store: false', 'debug: false', 'unkept workspace', 'store: true'];
  const statuses = (gateway: GatewayProcess): Promise<readonly number[]> =>
    Promise.all(unkept.map((name) => readStatus(openai(gateway, key), items[name] ?? '')));

  beforeAll(async () => {
    const store = kind === 'SQLite' ? 'gateway.db' : (server?.url ?? '');
    const first = await start(folder, store);
    await control(first, 'POST /workspaces', { body: { name: 'Other', slug: 'other' } });
    [key, otherKey] = [await readKey(first, 'default'), await readKey(first, 'other')];
    whole = await step(vercel(first, key), [question], false);
    streamed = await step(vercel(first, key), [question], true);
    const client = openai(first, key);
    const note = (name: string, { item }: Awaited<ReturnType<typeof asked>>): void => {
      items[name] = item;
    };
    note('plain', await asked(client));
    note('store: false', await asked(client, { store: false }));
    note('debug: false', await asked(client, {}, { 'x-gw-debug': 'false' }));
    const deleted = await asked(client, { store: true });
    note('deleted', deleted);
    await client.responses.delete(deleted.id);
    await control(first, 'PUT /workspaces/default', { body: { settings: { keep_responses: false } } });
    note('unkept workspace', await asked(client));
    note('store: true', await asked(client, { store: true }));
    before = await statuses(first);
    await stop(first);
    const { db, close } = await openStore({ url: kind === 'SQLite' ? `${folder}/${store}` : store });
    rows = await db.selectFrom('named_items').selectAll().execute();
    await close();
    again = await start(folder, store);
    lasting.set(kind, again);
  });

  it("let a tool loop of Vercel's library continue", async () => {
    await goesOn(vercel(again, key), whole, false);
    await goesOn(vercel(again, key), streamed, true);
  });

  it('are not available to another workspace', async () => {
    expect(await readStatus(openai(again, otherKey), items.plain ?? '')).toBe(400);
    expect(await readStatus(openai(again, key), items.plain ?? '')).toBe(200);
  });

  it('are encrypted', () => {
    expect(rows.map(({ id }) => id)).toContain(items.plain);
    expect(JSON.stringify(rows)).not.toContain('Let me look');
  });

  it('were only in memory if a request or a workspace turned storing off', async () => {
    expect(before).toEqual([400, 200, 200, 200]);
    expect(await statuses(again)).toEqual([400, 400, 400, 200]);
  });

  it('disappeared with a response that the client deleted', async () => {
    expect(await readStatus(openai(again, key), items.deleted ?? '')).toBe(400);
  });
});

describe.runIf(programs !== undefined)('items named by one of several processes', () => {
  const folder = temporaryFolder({}, afterAll);
  let one: GatewayProcess;
  let other: GatewayProcess;
  let key: string;
  beforeAll(async () => {
    const url = server?.url ?? '';
    one = lasting.get('PostgreSQL') ?? (await start(folders.get('PostgreSQL') ?? '', url));
    other = await start(folder, url);
    key = await readKey(one, 'default');
    await control(one, 'PUT /workspaces/default', { body: { settings: { keep_responses: null } } });
    // The other process learns about the key.
    await vi.waitFor(() => asked(openai(other, key)), { ...patience, interval: 200 });
  });

  it.each([false, true])(
    "let a tool loop of Vercel's library continue at another process, streamed: %s",
    async (stream) => {
      await goesOn(vercel(other, key), await step(vercel(one, key), [question], stream), stream);
    },
  );

  it('stay in the memory of each process while the store is unavailable, and are stored when it is back', async () => {
    await server?.crash();
    const { item } = await asked(openai(one, key));
    expect(await readStatus(openai(one, key), item)).toBe(200);
    expect(await readStatus(openai(other, key), item)).toBe(400);
    await server?.start();
    await expect.poll(() => readStatus(openai(other, key), item), { interval: 200 }).toBe(200);
  });
});
