import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveSpec } from '../../../runtime/cli/settings/serve-options.ts';
import { portkeyHeaders, portkeyPrefix } from '../../../schema/portkey/headers.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

const key = 'key-of-this-gateway-0123456789';
const saved = 'key-of-the-operator';

let upstream: TestUpstream;
/** The gateways, by how they are configured to accept clients of Portkey. */
let gateways: Readonly<Record<'without' | 'byFile' | 'byFlag', GatewayProcess>>;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
  const provider = {
    provider: 'openai',
    credential: { api_key: '${env:SAVED_KEY}' },
    settings: { custom_host: `${upstream.origin}/v1` },
  };
  const settings = {
    configs: 'configs',
    auth: { keys: [{ id: 'team', key: '${env:SERVICE_KEY}' }] },
    providers: { prod: provider },
    virtual_keys: { prod: provider },
  };
  const start = (more: object, args: readonly string[] = []): Promise<GatewayProcess> =>
    startGateway({
      files: {
        'gateway.json': { ...settings, ...more },
        'configs/pc-forwarding.json': { provider: '@prod', forward_headers: ['x-a'] },
        'configs/pc-prod-1a2b.json': { provider: '@prod', override_params: { model: 'of-the-config' } },
      },
      env: { SAVED_KEY: saved, SERVICE_KEY: key },
      args,
    });
  const [without, byFile, byFlag] = await Promise.all([
    start({}),
    start({ accept: ['portkey'] }),
    start({}, ['--accept', 'portkey']),
  ]);
  gateways = { without, byFile, byFlag };
});
afterAll(async () => {
  await Promise.all(Object.values(gateways).map((gateway) => gateway.stop()));
  await upstream.close();
});

type Name = keyof typeof gateways;
type Lines = Readonly<Record<string, string>>;

const ask = async (name: Name, headers: Lines, { path = '/chat/completions', model = 'm' } = {}) => {
  const answer = await fetch(gateways[name].baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'Hi!' }] }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, message: JSON.parse(text).error?.message as string };
};

/** The last request that the provider received. */
const sent = (): { readonly model: unknown; readonly lines: readonly string[] } => {
  const last = upstream.requests.at(-1);
  return { model: JSON.parse(last?.body.toString() || '{}').model, lines: last?.rawHeaders ?? [] };
};

const theirs = { 'x-portkey-api-key': key };

it('covers every gateway whose clients can be accepted', () =>
  expect(serveSpec.options.accept?.choices).toEqual(['portkey']));

describe.each(['byFile', 'byFlag'] as const)('a gateway that accepts clients of Portkey, %s', (name) => {
  it.each([
    ['a virtual key', { 'x-portkey-virtual-key': 'prod' }, 'm'],
    ['a saved provider', { 'x-portkey-provider': '@prod' }, 'm'],
    ['a saved config', { 'x-portkey-config': 'pc-prod-1a2b' }, 'of-the-config'],
    [
      "a config with Portkey's member names",
      { 'x-portkey-config': '{"virtualKey":"prod","overrideParams":{"model":"b"},"cache":"simple"}' },
      'b',
    ],
  ])('serves %s, and returns the response headers that Portkey clients know', async (_, headers, model) => {
    const answer = await ask(name, { ...theirs, ...headers, 'x-portkey-trace-id': 'trace-of-theirs' });
    expect([answer.status, sent().model]).toEqual([200, model]);
    for (const each of ['trace-id', 'provider', 'last-used-option-index', 'retry-attempt-count', 'cache-status'])
      expect(answer.headers.get(portkeyPrefix + each)).toBe(answer.headers.get(`x-gw-${each}`));
    expect(answer.headers.get('x-portkey-trace-id')).toBe('trace-of-theirs');
  });

  it('forwards no gateway header to a provider, on any kind of path', async () => {
    for (const path of ['/chat/completions', '/assistants', '/messages'])
      for (const row of portkeyHeaders.keys()) {
        const isOurs = ['api-key', 'provider', 'config', 'virtual-key', 'custom-host'].includes(row);
        const header = isOurs ? {} : { [portkeyPrefix + row]: 'text-of-theirs' };
        await ask(name, { ...theirs, 'x-portkey-virtual-key': 'prod', ...header }, { path });
        const { lines } = sent();
        expect(lines.join('\n').toLowerCase()).not.toMatch(/x-portkey|x-gw/);
        expect(lines.join('\n')).not.toContain(key);
        expect(lines).toContain(`Bearer ${saved}`);
      }
  });

  it('names the headers in its errors as Portkey does', async () => {
    const refused = async (headers: Lines): Promise<string> => (await ask(name, headers)).message;
    expect(await refused({ 'x-portkey-trace-id': 'a' })).toContain('Send it in the header x-portkey-api-key.');
    expect(await refused(theirs)).toContain('Send x-portkey-config, x-portkey-virtual-key, or x-portkey-provider');
    expect(await refused({ ...theirs, 'x-portkey-config': '{"drop_params":[]}' })).toContain(
      'The config in x-portkey-config is not valid: "drop_params"',
    );
    expect(await refused({ ...theirs, 'x-portkey-config': '{"virtualKey":"prod","overideParams":{}}' })).toContain(
      'The config in x-portkey-config is not valid: "overideParams"',
    );
    expect(await refused({ ...theirs, 'x-portkey-virtual-key': 'none' })).toContain('x-portkey-virtual-key');
    expect(await refused({ 'x-gw-api-key': key })).toContain('Send x-gw-config');
  });

  it('explains what to do about a config, virtual key or provider that is saved only at Portkey', async () => {
    const config = await ask(name, { ...theirs, 'x-portkey-config': 'pc-other-99ff' });
    expect([config.status, config.message]).toEqual([404, expect.stringContaining('import it with gw import portkey')]);
    const virtual = await ask(name, { ...theirs, 'x-portkey-virtual-key': 'a-key-of-theirs' });
    expect([virtual.status, virtual.message]).toEqual([400, expect.stringContaining('save it under this slug')]);
    const provider = await ask(name, { ...theirs, 'x-portkey-provider': '@a-key-of-theirs' });
    expect([provider.status, provider.message]).toEqual([
      400,
      expect.stringMatching(/To use a virtual key, send x-portkey-virtual-key\..* save a provider under this slug/),
    ]);
    const near = await ask(name, { ...theirs, 'x-portkey-config': 'pc-prod-1a2c' });
    expect(near.message).toBe('There is no config "pc-prod-1a2c". Did you mean "pc-prod-1a2b"?');
    const ours = await ask(name, { 'x-gw-api-key': key, 'x-gw-config': 'pc-other-99ff' });
    expect(ours.message).not.toContain('portkey');
  });

  it('explains that forward_headers belong in a saved config if the credential is saved', async () => {
    const headers = { 'x-portkey-virtual-key': 'prod', 'x-portkey-forward-headers': 'x-a', 'x-a': 'b' };
    const { status, message } = await ask(name, { ...theirs, ...headers });
    expect([status, message]).toEqual([
      400,
      expect.stringMatching(
        /together with x-portkey-forward-headers, which the request chose\. Name these headers as "forward_headers" in a config of the gateway/,
      ),
    ]);
    expect(await ask(name, { ...theirs, 'x-portkey-config': 'pc-forwarding', 'x-a': 'b' })).toMatchObject({
      status: 200,
    });
    expect(sent().lines).toEqual(expect.arrayContaining(['x-a', 'b']));
  });

  it('prints only wrong keys, because the answers explain all other refusals', async () => {
    const before = gateways[name].printed();
    const refusals: Readonly<Record<string, readonly [status: number, headers: Lines]>> = {
      'an unknown config': [404, { ...theirs, 'x-portkey-config': 'pc-other-99ff' }],
      'a wrong key': [401, { 'x-portkey-api-key': 'a-key-of-nobody-0123456789' }],
      'no key': [401, { 'x-portkey-trace-id': 'a' }],
      'an unknown virtual key': [400, { ...theirs, 'x-portkey-virtual-key': 'none' }],
      'an invalid config': [400, { ...theirs, 'x-portkey-config': '{"drop_params":[]}' }],
      'no provider': [400, theirs],
      'a host for a saved credential': [
        400,
        { ...theirs, 'x-portkey-virtual-key': 'prod', 'x-portkey-custom-host': 'http://127.0.0.1:9/v1' },
      ],
      'headers beside a saved credential': [
        400,
        { ...theirs, 'x-portkey-virtual-key': 'prod', 'x-portkey-forward-headers': 'x-a', 'x-a': 'b' },
      ],
      'a host that may not be called': [
        400,
        { ...theirs, 'x-portkey-provider': 'openai', 'x-portkey-custom-host': 'http://10.0.0.1/v1' },
      ],
    };
    for (const [what, [status, headers]] of Object.entries(refusals)) {
      const answer = await ask(name, headers);
      expect([answer.status, answer.message], what).toEqual([status, expect.not.stringContaining('x-gw-')]);
    }
    const printed = gateways[name].printed().slice(before.length).trim().split('\n');
    expect(printed).toEqual(['gw: A service key was refused. The request came from 127.0.0.1.']);
  });

  it('refuses Portkey features that it does not support, and calls no provider', async () => {
    const before = upstream.requests.length;
    for (const headers of [
      { 'x-portkey-cache': 'semantic' },
      { 'x-portkey-virtualkey': 'prod' },
      { 'x-gw-provider': '@other', 'x-portkey-provider': '@prod' },
      { 'x-portkey-config': '{"targets":[{"passthrough":true}]}' },
    ])
      expect(await ask(name, { ...theirs, 'x-portkey-virtual-key': 'prod', ...headers })).toMatchObject({
        status: 400,
      });
    expect(upstream.requests.length).toBe(before);
  });
});

describe('a header of Portkey that is listed in forward_headers', () => {
  const send = (lines: readonly string[]) =>
    rawHttp(gateways.byFile.origin, {
      method: 'POST',
      path: '/v1/chat/completions',
      lines: ['content-type: application/json', `x-portkey-api-key: ${key}`, ...lines],
      body: Buffer.from('{"model":"m","messages":[{"role":"user","content":"hi"}]}'),
    });
  const own = 'x-portkey-config: {"provider":"openai","api_key":"sk-of-the-caller","custom_host":"ORIGIN"';
  const config = (forwarded: string): string =>
    `${own.replace('ORIGIN', `${upstream.origin}/v1`)},"forward_headers":["${forwarded}"]}`;

  it('is forwarded under its own name', async () => {
    const answer = await send([config('X-Portkey-Trace-Id'), 'X-Portkey-Trace-Id: t-1']);
    expect(answer.statusLine).toContain(' 200 ');
    expect(sent().lines).toEqual(expect.arrayContaining(['X-Portkey-Trace-Id', 't-1']));
  });

  it('is refused if it carries the key of this gateway', async () => {
    const before = upstream.requests.length;
    const answer = await send([config('x-portkey-api-key')]);
    expect(answer.statusLine).toContain(' 400 ');
    expect(upstream.requests.length).toBe(before);
  });
});

describe('a gateway that does not accept clients of other gateways', () => {
  it.each([...portkeyHeaders.keys()])('ignores x-portkey-%s', async (row) => {
    const answer = await ask('without', {
      'x-gw-api-key': key,
      'x-gw-virtual-key': 'prod',
      [portkeyPrefix + row]: 'a',
    });
    expect(answer.status).toBe(200);
    expect([...answer.headers.keys()].filter((each) => each.startsWith(portkeyPrefix))).toEqual([]);
    expect(sent().lines.join('\n')).not.toContain('portkey');
  });

  it('accepts no key and no provider from x-portkey- headers', async () => {
    expect(await ask('without', theirs)).toMatchObject({ status: 401 });
    const refused = await ask('without', {
      'x-gw-api-key': key,
      ...{ 'x-portkey-virtual-key': 'prod', 'x-portkey-provider': '@prod' },
    });
    expect(refused).toMatchObject({
      status: 400,
      message:
        'The request names no provider. This gateway does not read x-portkey- headers: start it with gw serve --accept portkey, or with "accept": ["portkey"] in the gateway file, or send x-gw-config.',
    });
  });

  it('accepts no Portkey names of config members in x-gw-config', async () => {
    const headers = { 'x-gw-api-key': key, 'x-gw-config': '{"virtualKey":"prod"}' };
    for (const name of ['without', 'byFile'] as const) expect(await ask(name, headers)).toMatchObject({ status: 400 });
  });
});

describe('a gateway that is configured to accept an unknown gateway', () => {
  it('does not start', async () => {
    const folder = temporaryFolder({ 'gateway.json': { accept: ['litellm'] } });
    const byFile = await runGw(folder, ['check', 'gateway.json']);
    expect([byFile.code, byFile.out + byFile.err]).toEqual([1, expect.stringContaining('portkey')]);
    const byFlag = await runGw(folder, ['serve', '--accept', 'litellm']);
    expect([byFlag.code, byFlag.err]).toEqual([
      2,
      expect.stringContaining('--accept is "litellm"; it must be portkey.'),
    ]);
  });
});
