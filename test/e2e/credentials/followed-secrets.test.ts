import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { steadyLoad } from '../../support/gateways/steady-load.ts';
import { chatUpstream } from '../../support/gateways/stored-gateway.ts';
import type { ReceivedRequest } from '../../support/servers/upstream-request.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

/** Writes another value to a file that exists. */
type Rotate = (folder: string, value: string) => void;

/** As Kubernetes does: files are links to `..data/NAME`, and the link `..data` is replaced. */
const byDataLink: Rotate = (folder, value) => {
  const version = `..version-${value}`;
  mkdirSync(path.join(folder, version));
  writeFileSync(path.join(folder, version, 'key'), value);
  symlinkSync(version, path.join(folder, '..data_tmp'));
  renameSync(path.join(folder, '..data_tmp'), path.join(folder, '..data'));
};

const withLinks = (folder: string, value: string): void => {
  byDataLink(folder, value);
  symlinkSync('..data/key', path.join(folder, 'key'));
};

/** As the Vault agent does. */
const byRename: Rotate = (folder, value) => {
  writeFileSync(path.join(folder, '.key.tmp'), `${value}\n`);
  renameSync(path.join(folder, '.key.tmp'), path.join(folder, 'key'));
};

const inPlace: Rotate = (folder, value) => writeFileSync(path.join(folder, 'key'), `${value}\n`);

const credential = (request: ReceivedRequest): string | undefined =>
  request.header('authorization')?.slice('Bearer '.length);

/** A provider that accepts the given keys. */
const accepting = async (accepted: Set<string>): Promise<TestUpstream> => {
  const upstream = await startUpstream((call) =>
    accepted.has(credential(call.request) ?? '')
      ? call.json(openaiAnswer({ text: 'Hello!' }))
      : call.json({ error: { message: 'Incorrect API key.' } }, { status: 401 }),
  );
  onTestFinished(() => upstream.close());
  return upstream;
};

const serve = async (files: Readonly<Record<string, unknown>>): Promise<GatewayProcess> => {
  const gateway = await startGateway({ files });
  onTestFinished(() => gateway.stop());
  return gateway;
};

const ask = ({ baseUrl }: GatewayProcess, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello?' }] }),
  });

/** Starts a gateway whose default config and whose saved provider read the same key. */
const serveWithKey = (secrets: string, upstream: TestUpstream): Promise<GatewayProcess> => {
  const ref = `\${file:${path.join(secrets, 'key')}}`;
  const settings = { custom_host: `${upstream.origin}/v1` };
  return serve({
    'gateway.json': {
      configs: 'configs',
      default_config: 'prod',
      providers: { main: { provider: 'openai', credential: { api_key: ref }, settings } },
    },
    'configs/prod.json': { provider: 'openai', api_key: ref, ...settings },
  });
};

/** A plan keeps what it was linked with. The first request with this header links a new plan, which reads the key. */
const asNewPlan = { 'x-gw-provider': '@main' };

const patience = { timeout: 30_000 };

it.each([
  ['by a replaced link, as in Kubernetes', withLinks, byDataLink],
  ['by a rename, as with the agent of Vault', byRename, byRename],
  ['in place', inPlace, inPlace],
])('follows a key that changes %s, without a failed request', async (_, write, rotate) => {
  const secrets = temporaryFolder();
  write(secrets, 'key-1');
  const accepted = new Set(['key-1']);
  const upstream = await accepting(accepted);
  const ref = `\${file:${path.join(secrets, 'key')}}`;
  const settings = { custom_host: `${upstream.origin}/v1` };
  const gateway = await serve({
    'gateway.json': {
      configs: 'configs',
      default_config: 'prod',
      providers: { main: { provider: 'openai', credential: { api_key: ref }, settings } },
    },
    'configs/prod.json': { provider: 'openai', api_key: ref, ...settings, retry: { attempts: 0 } },
  });
  // Plans of files, of headers and of saved records have each resolved the key by then.
  const ways: readonly Readonly<Record<string, string>>[] = [
    {},
    { 'x-gw-provider': '@main' },
    { 'x-gw-config': JSON.stringify({ provider: '@main', retry: { attempts: 0 } }) },
  ];
  let turn = 0;
  const load = steadyLoad(
    () => {
      turn += 1;
      return ask(gateway, ways[turn % ways.length]);
    },
    { lanes: 3, pauseMs: 20 },
  );
  for (const value of ['key-2', 'key-3']) {
    const before = [...accepted];
    // The overlap: the provider accepts both keys.
    accepted.add(value);
    const changes = gateway.printed().split('has changed').length;
    rotate(secrets, value);
    await expect.poll(() => gateway.printed().split('has changed').length, patience).toBe(changes + 1);
    // Requests that began before have been sent once later ones have been answered.
    const answered = load.answers.length;
    await expect.poll(() => load.answers.length, patience).toBeGreaterThan(answered + 12);
    for (const old of before) accepted.delete(old);
    const sent = upstream.requests.length;
    await expect.poll(() => upstream.requests.length, patience).toBeGreaterThan(sent + 12);
    expect(new Set(upstream.requests.slice(sent).map(credential))).toEqual(new Set([value]));
  }
  await load.end();
  expect(load.failures()).toEqual([]);
  expect(gateway.printed()).not.toMatch(/key-[1-3]/);
});

it('keeps the value of a file that is empty or gone, for new plans too, reports it once, and follows the file again', async () => {
  const secrets = temporaryFolder({ key: 'key-1' });
  const accepted = new Set(['key-1', 'key-2']);
  const upstream = await accepting(accepted);
  const gateway = await serveWithKey(secrets, upstream);
  expect((await ask(gateway)).status).toBe(200);
  writeFileSync(path.join(secrets, 'key'), '');
  await expect
    .poll(() => gateway.printed(), patience)
    .toContain('no longer has a value, so its previous value stays in use. It is empty.');
  expect((await ask(gateway)).status).toBe(200);
  rmSync(path.join(secrets, 'key'));
  // A signal reloads everything, and the value stays.
  gateway.signal('SIGHUP');
  await expect.poll(() => gateway.printed(), patience).toContain('were reloaded');
  expect((await ask(gateway)).status).toBe(200);
  expect((await ask(gateway, asNewPlan)).status).toBe(200);
  expect(gateway.printed().split('no longer has a value').length).toBe(2);
  byRename(secrets, 'key-2');
  await expect.poll(() => gateway.printed(), patience).toContain('has changed');
  accepted.delete('key-1');
  expect((await ask(gateway)).status).toBe(200);
});

it('keeps the value of a file that cannot be read, for new plans too, and follows the file again', async () => {
  const secrets = temporaryFolder({ key: 'key-1' });
  const accepted = new Set(['key-1', 'key-2']);
  const upstream = await accepting(accepted);
  const gateway = await serveWithKey(secrets, upstream);
  expect((await ask(gateway)).status).toBe(200);
  // No user can read a folder as a file, not even root. A rename does not let the file be absent for a moment.
  mkdirSync(path.join(secrets, 'folder'));
  symlinkSync('folder', path.join(secrets, '.key.tmp'));
  renameSync(path.join(secrets, '.key.tmp'), path.join(secrets, 'key'));
  await expect
    .poll(() => gateway.printed(), patience)
    .toMatch(/no longer has a value, so its previous value stays in use\. .*(folder|directory)/);
  expect((await ask(gateway)).status).toBe(200);
  expect((await ask(gateway, asNewPlan)).status).toBe(200);
  byRename(secrets, 'key-2');
  await expect.poll(() => gateway.printed(), patience).toContain('has changed');
  accepted.delete('key-1');
  expect((await ask(gateway)).status).toBe(200);
  expect(upstream.requests.map(credential)).toEqual(['key-1', 'key-1', 'key-1', 'key-2']);
});

it('reads secrets immediately on SIGHUP, and keeps running, without a folder of configs', async () => {
  const secrets = temporaryFolder({ key: 'key-1' });
  const accepted = new Set(['key-2']);
  const upstream = await accepting(accepted);
  const gateway = await serve({
    'gateway.json': {
      providers: {
        main: {
          provider: 'openai',
          credential: { api_key: `\${file:${path.join(secrets, 'key')}}` },
          settings: { custom_host: `${upstream.origin}/v1` },
        },
      },
    },
  });
  const headers = { 'x-gw-provider': '@main' };
  expect((await ask(gateway, headers)).status).toBe(401);
  writeFileSync(path.join(secrets, 'key'), 'key-2');
  gateway.signal('SIGHUP');
  await expect.poll(async () => (await ask(gateway, headers)).status, patience).toBe(200);
  // If SIGHUP counted as a signal to stop, this would be the second one, and the exit code would be 1.
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
});

it('follows the files of service keys and of keys in a pool', async () => {
  const secrets = temporaryFolder({ key: 'caller-1', pool: 'pool-1', other: 'caller-1' });
  const upstream = await chatUpstream();
  const file = (name: string): string => `\${file:${path.join(secrets, name)}}`;
  const gateway = await serve({
    'gateway.json': {
      auth: {
        keys: [
          { id: 'a', key: file('key'), tenant: 't' },
          { id: 'b', key: file('other'), tenant: 't' },
        ],
      },
      configs: 'configs',
      default_config: 'prod',
    },
    'configs/prod.json': {
      provider: 'openai',
      keys: [{ api_key: file('pool') }],
      custom_host: `${upstream.origin}/v1`,
    },
  });
  const as = async (key: string): Promise<number> => (await ask(gateway, { 'x-gw-api-key': key })).status;
  expect([await as('caller-1'), await as('caller-2')]).toEqual([200, 401]);
  writeFileSync(path.join(secrets, 'other'), 'caller-2');
  writeFileSync(path.join(secrets, 'pool'), 'pool-2');
  await expect.poll(() => as('caller-2'), patience).toBe(200);
  await expect
    .poll(async () => {
      await as('caller-1');
      return credential(upstream.requests.at(-1) as ReceivedRequest);
    }, patience)
    .toBe('pool-2');
  writeFileSync(path.join(secrets, 'key'), 'caller-3');
  await expect.poll(() => as('caller-1'), patience).toBe(401);
  expect([await as('caller-2'), await as('caller-3')]).toEqual([200, 200]);
});

it('reports on /readyz that a secret has changed that is read only at the start', async () => {
  const secrets = temporaryFolder({ token: 'token-1' });
  const otlp = { url: 'http://127.0.0.1:9', headers: { authorization: `\${file:${path.join(secrets, 'token')}}` } };
  const gateway = await serve({ 'gateway.json': { telemetry: { otlp } } });
  writeFileSync(path.join(secrets, 'token'), 'token-2');
  const reasons = async (): Promise<string> => (await fetch(`${gateway.origin}/readyz`)).text();
  await expect
    .poll(reasons, patience)
    .toContain('has changed, but it is only used at startup. Restart the gateway to use it.');
});
