import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import {
  adminKey,
  chat,
  chatUpstream,
  control,
  makeKey,
  saveChat,
  serveStore,
  sharedStore,
} from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { read } from './support/logged.ts';

const useGateway = ({ origin }: GatewayProcess): void => {
  vi.stubEnv('GW_URL', origin);
  vi.stubEnv('GW_API_KEY', adminKey);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
};

const written = (gateway: GatewayProcess, count: number, workspace = 'default'): Promise<void> =>
  expect.poll(async () => (await read(gateway, '/logs', { workspace })).body.data.length).toBe(count);

/** Each test that does not stop the gateway uses a workspace of it. */
const shared = sharedStore();

it('gw logs lists, shows, exports, rates and sums up requests, and gw explain repeats them', async () => {
  const config = { strategy: { mode: 'fallback' }, targets: [{ provider: '@first' }, { provider: 'echo' }] };
  const folder = temporaryFolder({
    'plan.json': config,
    'sent.json': { request: { url: 'https://api.test/v1/x?key=k', body: {} }, response: { status: 500, body: {} } },
    'environment.json': { providers: { first: { provider: 'openai', credential: { api_key: '${env:PATH}' } } } },
  });
  const gateway = shared();
  useGateway(gateway);
  const gw = (...argv: readonly string[]) => runGw(folder, argv);
  const upstream = await chatUpstream();
  upstream.handle((call) => call.json({ error: { message: 'Too busy.' } }, { status: 503 }));
  await saveChat(gateway, { upstream, slug: 'first', credential: 'sk-1234567890' });
  await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-api-key': adminKey,
      'x-gw-config': JSON.stringify(config),
      'x-gw-metadata': '{"team":"red"}',
      'x-gw-trace-id': 'trace-1',
    },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello?' }] }),
  });
  await chat(gateway, { key: adminKey });
  await written(gateway, 2);

  expect((await gw('logs')).out).toMatch(/^TIME .*\n\S+Z +200 .*\n\S+Z +200 .* 2 .*\n$/);
  const { out, err } = await gw('logs', '--limit', '1');
  expect(out.split('\n')).toHaveLength(3);
  expect(err).toMatch(/^gw: There are more: --after \S+ lists them\.\n$/);
  const listed = await gw('logs', '--metadata', 'team=red', '--trace', 'trace-1', '--format', 'json');
  const { data } = JSON.parse(listed.out);
  expect(data).toHaveLength(1);
  const shown = await gw('logs', data[0].id);
  expect(JSON.parse(shown.out)).toMatchObject({ id: data[0].id, fell_back: true, attempts: [{}, {}] });
  expect((await gw('logs', 'get', 'trace-1')).out).toBe(shown.out);
  expect(await gw('logs', 'list', '--trace', 'trace-9')).toMatchObject({ code: 0, err: 'gw: Nothing was found.\n' });
  expect((await gw('logs', 'trace-1')).out).toBe(shown.out);
  expect(await gw('logs', '--modle', 'x')).toMatchObject({ code: 2, err: expect.stringContaining('--model') });

  const replayed = await gw('explain', 'plan.json', '--config', 'environment.json', '--log', 'trace-1');
  expect(replayed.err).toBe('');
  expect(replayed.out).toMatch(
    /attempt 1 at openai#targets.0: 503 \(from the provider\)\n.*fell back from .* on 503\n/,
  );
  expect(replayed.out).toContain('The trail is the one recorded on');
  expect(replayed.code).toBe(0);
  expect(await gw('explain', 'plan.json', '--config', 'environment.json', '--log', 'nothing')).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no log "nothing". gw logs list lists what there is.\n'),
  });
  expect(await gw('logs', 'order-99')).toMatchObject({
    code: 1,
    err: 'gw: There is no log "order-99". gw logs list lists what there is.\n',
  });

  expect(await gw('logs', 'send', 'sent.json')).toMatchObject({ code: 0, out: 'The record was saved.\n' });
  const sent = await gw('logs', 'export', '--status', '500');
  expect(
    sent.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ source: 'sent', url: 'https://api.test/v1/x', is_success: false }]);
  expect((await gw('logs', '--status', '500')).out).toMatch(/^TIME .* PROBLEM\n.* -\n$/);
  const judged = await gw('logs', 'feedback', 'create', '--trace', 'trace-1', '--value', '7');
  expect(judged.out).toMatch(/^The feedback was saved: [\da-f-]{36}\n$/);
  const id = judged.out.trim().split(' ').at(-1) ?? '';
  expect(await gw('logs', 'feedback', 'update', id, '--value', '9')).toMatchObject({ code: 0 });
  expect(JSON.parse((await gw('logs', data[0].id)).out).feedback).toMatchObject([{ value: 9, weight: 1 }]);
  const now = Date.now();
  const range = ['--since', new Date(now - 3_600_000).toISOString(), '--until', new Date(now + 60_000).toISOString()];
  expect((await gw('logs', 'analytics', 'requests', ...range)).out).toMatch(/^TIME +REQUESTS\n(?:\S+Z +\d\n)+$/);
});

/** Starts `gw logs --follow` as a process and collects what it writes. */
const followLogs = (
  origin: string,
  { key = adminKey, argv = [] }: { readonly key?: string; readonly argv?: readonly string[] } = {},
) => {
  const home = temporaryFolder();
  const following = spawn(process.execPath, [installedGw, 'logs', '--follow', '--format', 'json', ...argv], {
    env: { ...process.env, GW_URL: origin, GW_API_KEY: key, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void following.kill('SIGKILL'));
  const output = { out: '', err: '' };
  following.stdout.on('data', (part) => {
    output.out += part;
  });
  following.stderr.on('data', (part) => {
    output.err += part;
  });
  const records = (): readonly { readonly id: string; readonly status: number }[] =>
    output.out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return { following, output, records };
};

it('gw logs --follow shows requests as they end, also after a restart of the gateway, and ends at once on SIGINT', async () => {
  const folder = temporaryFolder();
  const served = { folder, args: ['--port', String(await freePort())] };
  const first = await serveStore('gateway.db', served);
  const { key } = await makeKey(first, 'app');
  await chat(first, { key });
  await written(first, 1);
  const { following, output, records } = followLogs(first.origin);
  await expect.poll(() => records().length, patience).toBe(1);
  await chat(first, { key });
  await expect.poll(() => records().length, patience).toBe(2);
  first.signal('SIGTERM');
  await first.exited;
  await expect.poll(() => output.err, patience).toMatch(/^gw: Nothing listens at .* The request is sent again\.\n$/);
  const second = await serveStore('gateway.db', served);
  // More than the first page holds, before and after its next query: none is lost, and none is shown twice.
  for (let sent = 0; sent < 15; sent += 1) await chat(second, { key });
  await expect.poll(() => records().length, patience).toBe(17);
  expect(new Set(records().map(({ id }) => id)).size).toBe(17);
  following.kill('SIGINT');
  const [, signal] = await once(following, 'exit');
  expect({ signal, lines: output.err.split('\n').length }).toEqual({ signal: 'SIGINT', lines: 2 });
});

it('gw logs --follow shows only the selected requests, and ends when its key is deleted', async () => {
  const gateway = shared();
  const workspace = 'other';
  await control(gateway, 'POST /workspaces', { body: { name: workspace, slug: workspace } });
  const make = (name: string, scope: string) =>
    control(gateway, 'POST /api-keys/workspace/service', {
      ...{ workspace, body: { name, scopes: [scope], workspace_id: workspace } },
    });
  const follower = await make('follower', 'logs.list');
  const { key = '' } = await make('app', 'completions.write');
  await chat(gateway, { key, config: 'nothing' });
  await written(gateway, 1, workspace);
  const argv = ['--status', '404'];
  const { following, output, records } = followLogs(gateway.origin, { key: follower.key ?? '', argv });
  await expect.poll(() => records().length, patience).toBe(1);
  await chat(gateway, { key });
  await chat(gateway, { key, config: 'nothing' });
  await expect.poll(() => records().map(({ status }) => status), patience).toEqual([404, 404]);
  const exited = once(following, 'exit');
  await control(gateway, `DELETE /api-keys/${follower.id}`, { workspace });
  const [code] = await exited;
  expect(code).toBe(1);
  expect(output.err).toMatch(/^gw: .*key/);
});
