import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const admin = 'the-admin-key-of-this-test-with-40-chars';

type WhenFinished = (end: () => Promise<void>) => void;

/** Answers "a fig" to everything, as a stream if requested. */
const vendor = async (whenFinished: WhenFinished): Promise<TestUpstream> => {
  const upstream = await startUpstream((call) => {
    const text = 'I eat a fig.';
    if (JSON.parse(call.request.body.toString()).stream !== true) return call.json(openaiAnswer({ text }));
    const stream = call.sse();
    for (const frame of openaiStream({ text }, { withUsage: false })) stream.send(frame);
    stream.end();
  });
  whenFinished(() => upstream.close());
  return upstream;
};

const contains = (...words: string[]) => ({ id: 'default.contains', parameters: { operator: 'none', words } });

interface AskOptions {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

interface Gateway {
  readonly process: GatewayProcess;
  ask(path: string, options?: AskOptions): Promise<{ readonly status: number; readonly text: string }>;
  /** Calls the control plane. Throws the answer if its status is not 200. */
  // biome-ignore lint/suspicious/noExplicitAny: its answers are JSON.
  save(request: string, body: object, key?: string): Promise<any>;
}

const filed = { 'default.contains': { operator: 'none', words: ['olive'] }, deny: true };

/** A gateway with files and a store, which is new if the folder is new. */
const open = async (
  guardrails: object,
  folder?: string,
  whenFinished: WhenFinished = onTestFinished,
): Promise<Gateway> => {
  const process = await startGateway({
    files: { 'gateway.json': { configs: 'configs', guardrails }, 'configs/of-file.json': { provider: 'echo' } },
    ...(folder === undefined ? {} : { folder }),
    args: ['--store', 'gateway.db'],
    env: { GW_ADMIN_KEY: admin, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
  whenFinished(() => process.stop());
  const ask: Gateway['ask'] = async (path, { method, key = admin, headers = {}, body } = {}) => {
    const answer = await fetch(`${process.baseUrl}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        'x-gw-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const save: Gateway['save'] = async (request, body, key = admin) => {
    const [method = 'POST', path = ''] = request.split(' ');
    const { status, text } = await ask(path, { method, body, key });
    if (status !== 200) throw new Error(`${request}: ${status} ${text}`);
    return JSON.parse(text);
  };
  return { process, ask, save };
};

interface StartedGateway extends Gateway {
  readonly upstream: TestUpstream;
}

/** A gateway with files and a store that contains a provider, a virtual key and configs. */
const start = async (folder?: string, whenFinished: WhenFinished = onTestFinished): Promise<StartedGateway> => {
  const upstream = await vendor(whenFinished);
  const opened = await open({ filed }, folder, whenFinished);
  const { save } = opened;
  const settings = { custom_host: `${upstream.origin}/v1` };
  const credential = { api_key: 'sk-1' };
  await save('POST /providers', { name: 'Main', slug: 'main', provider: 'openai', credential, settings });
  await save('POST /virtual-keys', { name: 'V', slug: 'virtual', provider: 'openai', key: 'sk-2', settings });
  await save('POST /configs', { name: 'Saved', slug: 'saved', config: { provider: '@main' } });
  await save('POST /configs', { name: 'Open', slug: 'open', config: { request_timeout: 20_000 } });
  return { ...opened, upstream };
};

const chat = (content: string, more: object = {}) => ({
  model: 'm',
  messages: [{ role: 'user', content }],
  ...more,
});

const chats = (
  { ask }: Gateway,
  content: string,
  { headers, key, ...more }: AskOptions & { readonly stream?: true } = {},
) =>
  ask('/chat/completions', {
    body: chat(content, more),
    ...(headers === undefined ? {} : { headers }),
    ...(key === undefined ? {} : { key }),
  });

const guardrail = (gateway: Gateway, slug: string, words: string[], more: object = {}) =>
  gateway.save('POST /guardrails', {
    name: slug,
    slug,
    checks: [contains(...words)],
    actions: { deny: true },
    ...more,
  });

const ofWorkspace = (gateway: Gateway, settings: object, workspace = 'default') =>
  gateway.save(`PUT /workspaces/${workspace}`, { settings });

describe('the default guardrails of a workspace', () => {
  let gateway: StartedGateway;
  beforeAll(async () => {
    const ends: (() => Promise<void>)[] = [];
    gateway = await start(undefined, (end) => void ends.push(end));
    return () => Promise.all(ends.map((end) => end()));
  });
  afterEach(() => ofWorkspace(gateway, { input_guardrails: null, output_guardrails: null, config: null }));

  it('judge requests, whichever config or provider serves them', async () => {
    const { ask, save, upstream } = gateway;
    await guardrail(gateway, 'no-plums', ['plum']);
    await ofWorkspace(gateway, { input_guardrails: ['no-plums'] });
    const served = await save('POST /api-keys/workspace/service', {
      name: 'app',
      ...{ scopes: ['completions.write'], workspace_id: 'default', defaults: { config_id: 'saved' } },
    });
    const roads: readonly [string, AskOptions][] = [
      ['a saved config', { headers: { 'x-gw-config': 'saved' } }],
      ['a config in a header', { headers: { 'x-gw-config': '{"provider":"@main"}' } }],
      ['a config with a credential in a header', { headers: { 'x-gw-config': '{"provider":"echo","api_key":"k"}' } }],
      ['a provider alone', { headers: { 'x-gw-provider': 'echo' } }],
      ['a saved provider alone', { headers: { 'x-gw-provider': '@main' } }],
      ['a virtual key', { headers: { 'x-gw-virtual-key': 'virtual' } }],
      ['a model that names its provider', { body: { model: '@main/m' } }],
      ['a saved config without a provider', { headers: { 'x-gw-config': 'open', 'x-gw-provider': '@main' } }],
      ['the same, with the provider in the model', { headers: { 'x-gw-config': 'open' }, body: { model: '@main/m' } }],
      ['a config of the gateway file', { headers: { 'x-gw-config': 'of-file' } }],
      ['the config of the key', { key: served.key }],
    ];
    for (const [road, { body, ...options }] of roads) {
      const send = (content: string) => ask('/chat/completions', { ...options, body: { ...chat(content), ...body } });
      expect((await send('I like apples.')).status, road).toBe(200);
      const before = upstream.requests.length;
      const denied = await send('I like a plum.');
      expect([denied.status, denied.text], road).toEqual([446, expect.stringContaining('default.contains')]);
      expect(upstream.requests.length, road).toBe(before);
    }
    await ofWorkspace(gateway, { config: 'saved' });
    expect((await chats(gateway, 'I like apples.')).status).toBe(200);
    expect((await chats(gateway, 'I like a plum.')).status).toBe(446);
  });

  it('judge prompts, embeddings and other conversations, and refuse bodies that cannot be judged', async () => {
    const { ask, save } = gateway;
    await guardrail(gateway, 'no-plums-either', ['plum']);
    await ofWorkspace(gateway, { input_guardrails: ['no-plums-either'], config: 'of-file' });
    const messages = [{ role: 'user', content: 'I like a {{fruit}}.' }];
    await save('POST /prompts', {
      ...{ name: 'p', slug: 'p', string: JSON.stringify(messages), parameters: {} },
      ...{ model: 'm', virtual_key: '@main' },
    });
    const prompt = (fruit: string) => ask('/prompts/p/completions', { body: { variables: { fruit } } });
    expect([(await prompt('pear')).status, (await prompt('plum')).status]).toEqual([200, 446]);
    const embed = (input: string) => ask('/embeddings', { body: { model: 'm', input } });
    expect([(await embed('pear')).status, (await embed('plum')).status]).toEqual([200, 446]);
    const message = (content: string) => ask('/messages', { body: chat(content, { max_tokens: 5 }) });
    expect([(await message('pear')).status, (await message('plum')).status]).toEqual([200, 446]);
    const response = (input: string) => ask('/responses', { body: { model: 'm', input } });
    expect([(await response('pear')).status, (await response('plum')).status]).toEqual([200, 446]);
    const unknown = await ask('/some/other/path', { body: { any: 'plum' } });
    expect([unknown.status, unknown.text]).toEqual([403, expect.stringContaining('unjudged-request')]);
  });

  it('run after those of the config and of the organisation, and only in their workspace', async () => {
    const { save } = gateway;
    const noted = { actions: {} };
    const common = await guardrail(gateway, 'common', ['plum'], { ...noted, scope: 'organisation' });
    const own = await guardrail(gateway, 'own', ['plum'], noted);
    await save('POST /workspaces', { name: 'Other', slug: 'other' });
    const other = await save('POST /api-keys/workspace/service', {
      name: 'other',
      ...{ scopes: ['completions.write'], workspace_id: 'other' },
    });
    await ofWorkspace(gateway, { input_guardrails: ['own'], output_guardrails: [own.id] });
    await save('PUT /organisation', { settings: { input_guardrails: [common.id] } });
    const readHooks = async (key = admin) => {
      const ofConfig = { id: 'mine', 'default.contains': { operator: 'none', words: ['plum'] } };
      const config = { provider: 'echo', targets: undefined, input_guardrails: [ofConfig] };
      const { status, text } = await chats(gateway, 'A plum!', {
        headers: { 'x-gw-config': JSON.stringify(config) },
        key,
      });
      const { hook_results: results = {} } = JSON.parse(text);
      const ids = (list: readonly { readonly id: string }[] = []) => list.map(({ id }) => id);
      return [status, ids(results.before_request_hooks), ids(results.after_request_hooks)];
    };
    expect(await readHooks()).toEqual([246, ['mine', 'common', 'own'], ['own']]);
    expect(await readHooks(other.key)).toEqual([246, ['mine', 'common'], []]);
    await ofWorkspace(gateway, { input_guardrails: [], output_guardrails: null });
    // A request waits half a second for a change to be read, which a busy machine may exceed.
    await expect.poll(() => readHooks(), patience).toEqual([246, ['mine', 'common'], []]);
    await save('PUT /organisation', { settings: { input_guardrails: null } });
    await expect.poll(() => readHooks(other.key), patience).toEqual([246, ['mine'], []]);
  });

  it('judge every target, including one that has its own guardrails', async () => {
    await ofWorkspace(gateway, { output_guardrails: ['filed'] });
    const guarded = { 'default.contains': { operator: 'none', words: ['plum'] }, deny: true };
    const config = {
      strategy: { mode: 'fallback', on_status_codes: [446] },
      output_guardrails: [guarded],
      targets: [{ provider: 'echo', input_guardrails: [], output_guardrails: [guarded] }, { provider: 'echo' }],
    };
    const headers = { 'x-gw-config': JSON.stringify(config) };
    expect((await chats(gateway, 'An olive.', { headers })).status).toBe(446);
    expect((await chats(gateway, 'An apple.', { headers })).status).toBe(200);
  });

  it('judge answers, streams, and answers that were cached before', async () => {
    const { save, upstream } = gateway;
    await save('POST /configs', { name: 'K', slug: 'kept', config: { provider: '@main', cache: { mode: 'simple' } } });
    const headers = { 'x-gw-config': 'kept' };
    const unasked = upstream.requests.length;
    for (const _ of [1, 2]) expect((await chats(gateway, 'Hello!', { headers })).status).toBe(200);
    expect((await chats(gateway, 'Hello!', { headers, stream: true })).text).toContain('[DONE]');
    expect(upstream.requests.length - unasked).toBe(2);
    await guardrail(gateway, 'no-figs', ['fig']);
    await ofWorkspace(gateway, { output_guardrails: ['no-figs'] });
    const denied = await chats(gateway, 'Hello!', { headers });
    expect([denied.status, denied.text]).toEqual([446, expect.not.stringContaining('I eat')]);
    for (const [content, road] of [
      ['Hello!', headers],
      ['Hi!', { 'x-gw-provider': '@main' }],
    ] as const) {
      // The text is forwarded as far as it has been judged.
      const { text } = await chats(gateway, content, { headers: road, stream: true });
      expect(text).toContain('checks-failed');
      expect(text).not.toContain('fig');
      expect(text).not.toContain('[DONE]');
    }
    await ofWorkspace(gateway, { output_guardrails: null });
    expect((await chats(gateway, 'Hello!', { headers })).status).toBe(200);
  });

  it('apply from the next request after a change', async () => {
    const { ask, save } = gateway;
    await guardrail(gateway, 'changing', ['plum']);
    await ofWorkspace(gateway, { input_guardrails: ['changing'] });
    const headers = { 'x-gw-provider': 'echo' };
    const statuses = async () => [
      (await chats(gateway, 'A plum.', { headers })).status,
      (await chats(gateway, 'A pear.', { headers })).status,
    ];
    expect(await statuses()).toEqual([446, 200]);
    await save('PUT /guardrails/changing', { checks: [contains('pear')] });
    expect(await statuses()).toEqual([200, 446]);
    const removed = await ask('/guardrails/changing', { method: 'DELETE' });
    expect([removed.status, removed.text]).toEqual([409, expect.stringContaining('the workspace \\"default\\"')]);
    await ofWorkspace(gateway, { input_guardrails: null });
    expect(await statuses()).toEqual([200, 200]);
    expect((await ask('/guardrails/changing', { method: 'DELETE' })).status).toBe(200);
  });

  it('refuse every request while one of them cannot be used, and name it', async () => {
    const folder = temporaryFolder();
    const { process, upstream, ...before } = await start(folder);
    await ofWorkspace({ process, ...before }, { input_guardrails: ['filed'] });
    await process.stop();
    const later = await open({}, folder);
    for (const headers of [{ 'x-gw-provider': 'echo' }, { 'x-gw-config': 'saved' }, { 'x-gw-config': 'of-file' }]) {
      const { status, text } = await chats(later, 'A pear.', { headers });
      expect([status, JSON.parse(text).error]).toEqual([
        500,
        expect.objectContaining({
          code: 'default-guardrail-not-usable',
          type: 'gateway_error',
          message: expect.stringContaining('The default guardrail "filed"'),
        }),
      ]);
    }
    expect(upstream.requests).toHaveLength(0);
    await ofWorkspace(later, { input_guardrails: [] });
    expect((await chats(later, 'A pear.', { headers: { 'x-gw-config': 'of-file' } })).status).toBe(200);
  });
});
