import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../../plugins/control/kernel/store/open/open-store.ts';
import { createRemoteIds } from '../../../plugins/control/work/remote-ids/remote-ids.ts';
import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { caller, forUs, startFiles, toForm } from '../files/support.ts';

type Call = ReturnType<typeof caller>;
type Headers = Readonly<Record<string, string>>;

/** Providers for which both workspaces have an account with the same credential. */
const providers = { openai: 'openai', claude: 'anthropic', gemini: 'google', mistral: 'mistral-ai' };
const address = 'gs://bucket/gatewright/batches/0f1e/input.jsonl';
const batchOfBlue = 'msgbatch_01';
const reached = 418;

let gateway: GatewayProcess;
let upstream: TestUpstream;
let red: Call;
let blue: Call;
/** Files of the two workspaces in the account. */
let [ofRed, ofBlue] = ['', ''];
/** The content of the account's files. */
let lines = '';
let made = 0;

const addWorkspace = async (slug: string): Promise<Call> => {
  await control(gateway, 'POST /workspaces', { body: { name: slug, slug } });
  const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name: slug, scopes: ['completions.write'], workspace_id: slug },
  });
  for (const [name, provider] of Object.entries(providers))
    await control(gateway, 'POST /providers', {
      workspace: slug,
      body: {
        ...{ name, slug: name, provider, credential: { api_key: 'sk-shared' } },
        settings: { custom_host: `${upstream.origin}/v1` },
      },
    });
  return caller(gateway, key);
};

const upload = async (call: Call, name = 'openai'): Promise<string> => {
  const body = toForm([
    ['purpose', 'batch'],
    ['file', Buffer.from('x')],
  ]);
  const reply = await call('POST /files', { headers: { 'x-gw-provider': `@${name}` }, body });
  return ((await reply.json()) as { id: string }).id;
};

/** Records ids of the workspace `blue` that no route of this test creates. */
const note = async (): Promise<void> => {
  const store = await openStore({ url: path.join(gateway.folder, 'gateway.db'), serving: false });
  const { id } = await store.db
    .selectFrom('workspaces')
    .select('id')
    .where('slug', '=', 'blue')
    .executeTakeFirstOrThrow();
  const remoteIds = createRemoteIds({ store, now: Date.now });
  await remoteIds.record(id as TenantId, { kind: 'file', id: address, slug: 'gemini' });
  await remoteIds.record(id as TenantId, { kind: 'batch', id: batchOfBlue, slug: 'claude' });
  const row = {
    ...{ workspace_id: id, id: 'resp_blue', previous_id: null, slug: 'openai', scope: null, is_native: 1 as const },
    ...{ status: 'completed', bytes: 0, response: '', input: '', request: null, created_by: null },
    ...{ created_at: 1, expires_at: Date.now() + 1_000_000 },
  };
  await store.write((writing) => writing.insertInto('responses').values(row).execute());
  await store.close();
};

beforeAll(async () => {
  upstream = await startUpstream((call) => {
    const { method, path: to } = call.request;
    made += 1;
    if (method === 'POST' && to === '/v1/files') return call.json({ id: `file_00${made}`, object: 'file' });
    if (method === 'GET' && to.endsWith('/content')) return call.answer({ body: lines });
    if (method === 'POST' && to === '/v1/batches') return call.json({ id: `batch_${made}`, object: 'batch' });
    return call.json({ error: { message: 'Reached.', type: 'x' } }, { status: reached });
  });
  gateway = await startFiles();
  red = await addWorkspace('red');
  blue = await addWorkspace('blue');
  [ofRed, ofBlue] = [await upload(red), await upload(blue)];
  await note();
});
afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

let seen = 0;
beforeEach(() => {
  seen = upstream.requests.length;
});

/** Returns the forwarded POST requests of the current test. Jobs of earlier tests may send GET requests meanwhile. */
const posted = () => upstream.requests.slice(seen).filter(({ method }) => method === 'POST');

const send = async (call: Call, request: string, body: unknown, headers: Headers = {}) => {
  const init = { headers: { 'content-type': 'application/json', 'x-gw-provider': '@openai', ...headers } };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const reply = await call(request, body === undefined ? init : { ...init, body: text });
  return { status: reply.status, text: await reply.text() };
};

const chats = 'POST /chat/completions';
const chat = (id: string): object => ({
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: id } }] }],
});
const item = (content: object): object => ({ model: 'm', input: [{ role: 'user', content: [content] }] });

const at = (name: string): Headers => ({ 'x-gw-provider': `@${name}` });

interface Naming {
  readonly subject: string;
  readonly request: string;
  readonly body: (id: string) => object;
  readonly place: string;
  readonly headers?: Headers;
}

const inFirst = '/input/0/content/0/file_id';
const bodies: readonly Naming[] = [
  { subject: 'a chat', request: chats, body: chat, place: '/messages/0/content/0/file/file_id' },
  {
    ...{ subject: 'a chat that is translated', request: chats, body: chat },
    ...{ place: '/messages/0/content/0/file/file_id', headers: at('claude') },
  },
  {
    ...{ subject: 'a response', request: 'POST /responses', place: inFirst },
    body: (id) => item({ type: 'input_file', file_id: id }),
  },
  {
    ...{ subject: 'an image of a response', request: 'POST /responses', place: inFirst },
    body: (id) => item({ type: 'input_image', file_id: id }),
  },
  {
    ...{ subject: 'a tool of a response', request: 'POST /responses', place: '/tools/0/container/file_ids/1' },
    body: (id) => ({
      ...{ model: 'm', input: 'x' },
      tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-none', id] } }],
    }),
  },
  {
    ...{ subject: 'messages', request: 'POST /messages', headers: at('claude') },
    place: '/messages/0/content/0/source/file_id',
    body: (id) => ({
      ...{ model: 'm', max_tokens: 5 },
      messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: id } }] }],
    }),
  },
  {
    ...{ subject: 'an edit of an image', request: 'POST /images/edits', place: '/images/0/file_id' },
    body: (id) => ({ images: [{ file_id: id }] }),
  },
  {
    ...{ subject: 'a path that is not known', request: 'POST /vector_stores', place: '/file_ids/0' },
    body: (id) => ({ file_ids: [id] }),
  },
];

describe.each(bodies)('$subject', ({ request, body, place, headers }) => {
  it('can name files of its own workspace, and those without a known owner', async () => {
    for (const id of [ofRed, 'file-of-nobody'])
      expect(await send(red, request, body(id), headers)).toMatchObject({ status: reached });
    expect(upstream.requests.length).toBe(seen + 2);
  });

  it('cannot name files of another workspace', async () => {
    for (const [call, id] of [
      [red, ofBlue],
      [blue, ofRed],
    ] as const) {
      const { status, text } = await send(call, request, body(id), headers);
      expect(status, text).toBe(400);
      expect(text).toContain(`nothing with the id \\"${id}\\" at this provider. The request names it at ${place}.`);
      expect(text).toContain('invalid_request_error');
    }
    expect(upstream.requests.length).toBe(seen);
  });
});

it('only the workspace that owns a file in cloud storage can name it', async () => {
  const request = 'POST /v1beta/models/gemini-2.5-flash:generateContent';
  const body = { contents: [{ role: 'user', parts: [{ fileData: { mimeType: 'text/plain', fileUri: address } }] }] };
  const { status, text } = await send(red, request, body, at('gemini'));
  expect([status, text]).toEqual([400, expect.stringContaining('/contents/0/parts/0/fileData/fileUri')]);
  const escaped = JSON.stringify(body).replaceAll('/', '\\/');
  expect((await send(red, request, escaped, at('gemini'))).status).toBe(400);
  expect(upstream.requests.length).toBe(seen);
  expect((await send(blue, request, body, at('gemini'))).status).toBe(reached);
});

it('an id in a path that is passed through must belong to the workspace', async () => {
  const place = (id: string): string => `GET /vector_stores/vs_1/files/${id}`;
  expect(await send(red, place(ofBlue), undefined)).toMatchObject({
    status: 400,
    text: expect.stringContaining('names it in its path'),
  });
  expect((await send(red, place(ofBlue.replace('f', '%66')), undefined)).status).toBe(400);
  expect(upstream.requests.length).toBe(seen);
  expect((await send(red, place(ofRed), undefined)).status).toBe(reached);
});

it.each(['GET ', 'GET /results', 'POST /cancel', 'DELETE '])(
  'a batch of another workspace cannot be named in the form of its provider: %s',
  async (operation) => {
    const [method = '', rest = ''] = operation.split(' ');
    const to = `${method} /messages/batches/${batchOfBlue}${rest}`;
    const { status, text } = await send(red, to, undefined, at('claude'));
    expect([status, text]).toEqual([400, expect.stringContaining('names it in its path')]);
    expect(upstream.requests.length).toBe(seen);
    expect((await send(blue, to, undefined, at('claude'))).status).toBe(reached);
  },
);

it.each<[condition: string, body: () => string, says: string]>([
  [
    'its member name contains an escape',
    () => JSON.stringify(chat(ofBlue)).replace('file_id', 'file\\u005fid'),
    'nothing with',
  ],
  [
    'its value contains an escape',
    () => JSON.stringify(chat(ofBlue)).replace('"file_0', '"fil\\u0065_0'),
    'nothing with',
  ],
  ['it is surrounded by white space', () => JSON.stringify(chat(` ${ofBlue}\n`)), 'nothing with'],
  [
    'another id follows in a member of the same name',
    () => JSON.stringify(chat(ofBlue)).replace('"file_id"', '"file_id":"file-9","file_id"'),
    'occurs twice',
  ],
])('an id of another workspace is refused even if %s', async (_, body, says) => {
  const { status, text } = await send(red, chats, body());
  expect([status, text]).toEqual([400, expect.stringContaining(says)]);
  expect(upstream.requests.length).toBe(seen);
});

it('an id of another workspace is refused in a config and in a compressed text body', async () => {
  const config = {
    provider: '@openai',
    override_params: { messages: (chat(ofBlue) as { messages: object }).messages },
  };
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hello?' }] };
  const byConfig = await red(chats, {
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
    body: JSON.stringify(body),
  });
  expect([byConfig.status, await byConfig.text()]).toEqual([400, expect.stringContaining('nothing with the id')]);
  const zipped = await red('POST /images/edits', {
    headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip', 'x-gw-provider': '@openai' },
    body: await new Response(
      new Blob([JSON.stringify({ file_id: ofBlue })]).stream().pipeThrough(new CompressionStream('gzip')),
    ).bytes(),
  });
  expect([zipped.status, await zipped.text()]).toEqual([400, expect.stringContaining('/file_id')]);
  expect(upstream.requests.length).toBe(seen);
});

it('a caller with its own credential can name any file, because nobody shares its account', async () => {
  const headers = {
    'x-gw-provider': 'openai',
    'x-gw-custom-host': `${upstream.origin}/v1`,
    authorization: 'Bearer sk-own',
  };
  expect((await send(red, chats, chat(ofBlue), headers)).status).toBe(reached);
});

it('a response of another workspace is not continued on any path', async () => {
  for (const request of ['POST /responses', 'POST /responses/compact', 'POST /responses/input_tokens']) {
    const { status, text } = await send(red, request, { model: 'm', input: 'x', previous_response_id: 'resp_blue' });
    expect([status, text], request).toEqual([400, expect.stringContaining('resp_blue')]);
  }
  expect(upstream.requests.length).toBe(seen);
});

it('a request can name at most 500 files', async () => {
  const body = { file_ids: Array.from({ length: 501 }, (_, n) => `file-${n}`) };
  const { status, text } = await send(red, 'POST /vector_stores', body);
  expect([status, text]).toEqual([400, expect.stringContaining('more than 500 files')]);
});

const endpoint = '/v1/chat/completions';
const line = (id: string): string =>
  `${JSON.stringify({ custom_id: id, method: 'POST', url: endpoint, body: chat(id) })}\n`;

const makeBatch = (file: string, name: string, window: string) =>
  send(
    red,
    'POST /batches',
    { input_file_id: file, endpoint, completion_window: window },
    { 'x-gw-virtual-key': name },
  );

/** Stores lines at the gateway. */
const keep = async (text: string): Promise<string> => {
  const body = toForm([
    ['purpose', 'batch'],
    ['file', Buffer.from(text)],
  ]);
  return ((await (await red('POST /files', { headers: forUs, body })).json()) as { id: string }).id;
};

it('a batch that a provider runs is refused if one of its lines names a file of another workspace', async () => {
  const refused = expect.stringMatching(/Line 2 of the input file is not valid: Your workspace has nothing with/);
  lines = line('file-none') + line(ofBlue);
  expect(await makeBatch(ofRed, 'openai', '24h')).toEqual({ status: 400, text: refused });
  for (const name of ['openai', 'claude', 'mistral'])
    expect(await makeBatch(await keep(lines), name, '24h'), name).toEqual({ status: 400, text: refused });
  lines = line('file-none') + line(ofBlue).replace('file_id', 'file\\u005fid');
  expect(await makeBatch(ofRed, 'openai', '24h')).toEqual({ status: 400, text: refused });
  expect(posted()).toEqual([]);
  lines = line('file-none') + line(ofRed);
  expect((await makeBatch(ofRed, 'openai', '24h')).status).toBe(200);
});

it('a line that the gateway runs fails if it names a file of another workspace', async () => {
  const headers = { 'x-gw-virtual-key': 'openai' };
  const { id } = JSON.parse((await makeBatch(await keep(line(ofBlue)), 'openai', 'immediate')).text) as { id: string };
  const errors = await vi.waitFor(async () => {
    const batch = JSON.parse((await send(red, `GET /batches/${id}`, undefined, headers)).text);
    expect(batch.status).toBe('completed');
    return batch.error_file_id as string;
  }, patience);
  expect(await (await red(`GET /files/${errors}/content`)).text()).toContain('nothing with the id');
  expect(posted()).toEqual([]);
});

it('a background response fails if it names a file of another workspace', async () => {
  const body = { ...item({ type: 'input_file', file_id: ofBlue }), background: true };
  const { text } = await send(red, 'POST /responses', body);
  const { id } = JSON.parse(text) as { id: string };
  await vi.waitFor(async () => {
    const answer = await send(red, `GET /responses/${id}`, undefined);
    expect(JSON.parse(answer.text)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('nothing with') },
    });
  }, patience);
  expect(posted()).toEqual([]);
});
