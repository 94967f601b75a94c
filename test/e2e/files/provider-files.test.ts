import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { control } from '../../support/gateways/stored-gateway.ts';
import {
  type ScriptedAnswer,
  startUpstream,
  type TestUpstream,
  type UpstreamCall,
} from '../../support/servers/upstream-server.ts';
import { caller, startFiles, toForm } from './support.ts';

/** An account of a provider, with its files in the order of their creation. */
const account = new Map<string, object>();
let made = 0;

const answer = (call: UpstreamCall): void => {
  const { method, path } = call.request;
  const url = new URL(path, 'http://provider');
  const [id = '', rest] = url.pathname.replace('/v1/files', '').split('/').slice(1);
  if (method === 'POST') {
    made += 1;
    const file = { id: `file-${made}`, object: 'file', filename: 'lines.jsonl', extra: 'kept' };
    account.set(file.id, file);
    call.json(file);
  } else if (id === '') {
    const ids = [...account.keys()];
    const from = ids.indexOf(url.searchParams.get('after') ?? '') + 1;
    // Pages are small, so that some end with a file of another workspace.
    const to = from + Math.min(Number(url.searchParams.get('limit') ?? 10_000), 3);
    const data = ids.slice(from, to).map((each) => account.get(each));
    call.json({ object: 'list', data, has_more: to < ids.length, first_id: ids[from], last_id: ids[to - 1] });
  } else if (!account.has(id)) call.json({ error: { message: 'No such file.' } }, { status: 404 });
  else if (rest === 'content') call.answer({ headers: { 'content-type': 'application/octet-stream' }, body: id });
  else if (method === 'DELETE') call.json({ id, object: 'file', deleted: account.delete(id) });
  else call.json(account.get(id));
};

let gateway: GatewayProcess;
let upstream: TestUpstream;
let red: ReturnType<typeof caller>;
let blue: ReturnType<typeof caller>;

/** Adds a workspace with a key and with its own provider for the shared account. */
const addWorkspace = async (slug: string): Promise<ReturnType<typeof caller>> => {
  await control(gateway, 'POST /workspaces', { body: { name: slug, slug } });
  const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name: slug, scopes: ['completions.write'], workspace_id: slug },
  });
  for (const name of ['shared', 'second'])
    await control(gateway, 'POST /providers', {
      workspace: slug,
      body: {
        ...{ name, slug: name, provider: 'openai', credential: { api_key: `sk-${name}` } },
        settings: { custom_host: `${upstream.origin}/v1` },
      },
    });
  await control(gateway, 'POST /configs', {
    workspace: slug,
    body: { name: 'by-config', slug: 'by-config', config: { provider: '@shared' } },
  });
  return caller(gateway, key);
};

beforeAll(async () => {
  upstream = await startUpstream(answer);
  gateway = await startFiles();
  red = await addWorkspace('red');
  blue = await addWorkspace('blue');
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const shared = { 'x-gw-provider': '@shared' };
const listOfOthers = '{"object":"list","data":[{"id":"file-of-others"}],"has_more":false}';
const form = (): FormData =>
  toForm([
    ['purpose', 'batch'],
    ['file', Buffer.alloc(300_000, 'x')],
  ]);

const make = async (call: typeof red, headers: Record<string, string> = shared): Promise<string> => {
  const reply = await call('POST /files', { headers, body: form() });
  const { id } = (await reply.json()) as { id: string };
  return id;
};

const ids = async (call: typeof red, query = '', headers: Record<string, string> = shared): Promise<unknown> => {
  const { data, has_more } = (await (await call(`GET /files${query}`, { headers })).json()) as {
    data: { id: string }[];
    has_more: boolean;
  };
  return [data.map(({ id }) => id), has_more];
};

it('sends a file unchanged to the provider that the request names, and returns its answer', async () => {
  const before = upstream.requests.length;
  const reply = await red('POST /files', { headers: shared, body: form() });
  expect(await reply.json()).toEqual({ id: 'file-1', object: 'file', filename: 'lines.jsonl', extra: 'kept' });
  const sent = upstream.requests[before];
  expect([sent?.header('authorization'), sent?.body.length]).toEqual(['Bearer sk-shared', expect.any(Number)]);
  expect(sent?.body.length).toBeGreaterThan(300_000);
  expect(sent?.header('content-type')).toMatch(/^multipart\/form-data; boundary=/);
});

it('lets workspaces that share an account list and use only their own files', async () => {
  const [first, theirs] = [await make(red), await make(blue)];
  for (let more = 0; more < 120; more += 1) account.set(`file-of-others-${more}`, { id: `file-of-others-${more}` });
  const last = await make(red);
  expect(await ids(red)).toEqual([['file-1', first, last], false]);
  expect(await ids(red, '?limit=1')).toEqual([['file-1'], true]);
  expect(await ids(red, `?limit=1&after=${first}`)).toEqual([[last], false]);
  expect(await ids(blue)).toEqual([[theirs], false]);
  for (const path of [theirs, 'file-of-others-3', 'file-nobody']) {
    const seen = upstream.requests.length;
    for (const request of [`GET /files/${path}`, `GET /files/${path}/content`, `DELETE /files/${path}`])
      expect((await red(request, { headers: shared })).status, request).toBe(404);
    expect(upstream.requests.length).toBe(seen);
  }
  expect(await (await blue(`GET /files/${theirs}/content`, { headers: shared })).text()).toBe(theirs);
  expect((await blue(`GET /files/${theirs}`, { headers: { 'x-gw-provider': '@second' } })).status).toBe(404);
  expect(await ids(blue, '', { 'x-gw-provider': '@second' })).toEqual([[], false]);
  expect((await (await blue(`DELETE /files/${theirs}`, { headers: shared })).json()) as object).toMatchObject({
    deleted: true,
  });
  expect((await blue(`GET /files/${theirs}`, { headers: shared })).status).toBe(404);
});

it.each<[what: string, list: ScriptedAnswer]>([
  [
    'compressed, although that was not requested',
    { headers: { 'content-encoding': 'gzip' }, body: gzipSync(listOfOthers) },
  ],
  ['incomplete', { body: listOfOthers.slice(0, -1) }],
  ['in another form', { body: listOfOthers.replace('data', 'files') }],
])('refuses a list that is %s, because it may contain files of others', async (_, list) => {
  upstream.handle((call) => call.answer({ ...list, headers: { 'content-type': 'application/json', ...list.headers } }));
  const reply = await red('GET /files', { headers: shared });
  upstream.handle(answer);
  expect([reply.status, await reply.text()]).toEqual([502, expect.stringContaining('it has no list of files.')]);
});

it('finds the same files by a virtual key as by a provider', async () => {
  const { data = [] } = (await (await red('GET /files', { headers: { 'x-gw-virtual-key': 'shared' } })).json()) as {
    data?: { id: string }[];
  };
  expect([data.map(({ id }) => id), false]).toEqual(await ids(red));
  const unknown = await red('GET /files', { headers: { 'x-gw-virtual-key': 'nobody' } });
  expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('x-gw-virtual-key')]);
});

it('uses the account of the provider that a config names', async () => {
  const headers = { 'x-gw-config': 'by-config' };
  const id = await make(blue, headers);
  expect(await ids(blue, '', headers)).toEqual([[id], false]);
  expect((await blue(`GET /files/${id}`, { headers })).status).toBe(200);
  expect((await red(`GET /files/${id}`, { headers })).status).toBe(404);
});

it('gives a caller with its own credential the provider’s files unfiltered', async () => {
  const headers = {
    'x-gw-provider': 'openai',
    authorization: 'Bearer sk-own',
    'x-gw-custom-host': `${upstream.origin}/v1`,
  };
  const id = await make(red, headers);
  expect((await red('GET /files/file-of-others-3', { headers })).status).toBe(200);
  expect((await red(`GET /files/${id}/content`, { headers })).status).toBe(200);
  expect(upstream.requests.at(-1)?.header('authorization')).toBe('Bearer sk-own');
  expect((await ids(red, '?limit=2', headers)) as unknown[]).toEqual([['file-1', 'file-2'], true]);
  expect(await ids(red)).toEqual([expect.not.arrayContaining([id]), false]);
});

it('says what to send to a request that names no provider', async () => {
  const reply = await red('POST /files', { body: form() });
  expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('x-gw-provider: gw')]);
});

it('passes on a refusal of the provider', async () => {
  const before = await ids(red);
  upstream.handle((call) => call.json({ error: { message: 'Too large.' } }, { status: 413 }));
  const reply = await red('POST /files', { headers: shared, body: form() });
  expect([reply.status, await reply.json()]).toEqual([413, { error: { message: 'Too large.' } }]);
  expect((await red('GET /files', { headers: shared })).status).toBe(413);
  upstream.handle(answer);
  expect(await ids(red)).toEqual(before);
});
