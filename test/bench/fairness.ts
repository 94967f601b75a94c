/**
 * `npm run bench:fairness`: how long a tenant has to wait while another tenant floods shared resources: background responses,
 * batches, event streams and exports. Prints milliseconds and megabytes; "none" if nothing arrived within 20 s. Linux only: it
 * reads /proc.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startUpstream } from '../support/servers/upstream-server.ts';
import { anthropicAnswer, anthropicStream } from '../support/vendors/anthropic-wire.ts';
import { buildGateway } from './harness/built-gateway.ts';
import { adminKey, ControlClient, masterKey } from './harness/control-client.ts';
import { median, residentMb, startServer } from './harness/measure.ts';
import { serveArgs } from './harness/serve-args.ts';

const port = 19_500;
const patienceMs = 20_000;
const counts = { background: 200, streams: 3500, exports: 100, records: 500, bodyBytes: 150_000 };

const row = (what: string, figure: string): void => void process.stdout.write(`| ${what} | ${figure} |\n`);
const ms = (value: number | undefined): string => (value === undefined ? 'none' : `${Math.round(value)} ms`);

const folder = mkdtempSync(path.join(tmpdir(), 'gw-bench-'));
const upstream = await startUpstream((call) => {
  if (call.request.body.includes('hang')) return;
  if (call.request.json().stream !== true) return call.json(anthropicAnswer({ text: 'Hello!' }));
  const stream = call.sse();
  for (const frame of anthropicStream({ text: 'Hello!' })) stream.send(frame);
  return stream.end();
});
const server = await startServer({
  ...{ name: 'gateway', port, probe: { method: 'GET', path: '/livez' } },
  args: serveArgs(['--store', path.join(folder, 'gateway.db')], await buildGateway(folder)),
  env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: masterKey, GW_TRUSTED_HOSTS: '127.0.0.1' },
});
const client = new ControlClient(port);

const tenant = async (slug: string): Promise<string> => {
  await client.made('POST /workspaces', { body: { name: slug, slug } });
  await client.made('POST /providers', {
    headers: { 'x-gw-workspace': slug },
    body: {
      ...{ name: 'claude', slug: 'claude', provider: 'anthropic', credential: { api_key: 'sk-a' } },
      settings: { custom_host: `${upstream.origin}/v1` },
    },
  });
  const { key } = await client.made('POST /api-keys/workspace/service', {
    body: { name: 'app', scopes: ['completions.write'], workspace_id: slug },
  });
  return key;
};
let [flood, calm] = ['', ''];

/** Returns after how many milliseconds a condition is true; undefined if it does not become true in time. */
const until = async (holds: () => Promise<boolean>): Promise<number | undefined> => {
  const begun = performance.now();
  while (performance.now() - begun < patienceMs) {
    if (await holds().catch(() => false)) return performance.now() - begun;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return undefined;
};

const ofProvider = { 'x-gw-provider': '@claude' };

const respond = async (key: string, input: string): Promise<string> => {
  const body = { model: 'claude-x', input, background: true };
  return (await client.made('POST /responses', { key, headers: ofProvider, body })).id;
};

const readStatus = async (key: string, at: string): Promise<string> => (await client.made(`GET ${at}`, { key })).status;

const background = async (): Promise<string> => {
  let last = '';
  for (let count = 0; count < counts.background; count += 1) last = await respond(flood, 'hang');
  const id = await respond(calm, 'Hello?');
  row(
    `${counts.background} hanging responses of one tenant: another's`,
    ms(await until(async () => (await readStatus(calm, `/responses/${id}`)) === 'completed')),
  );
  return last;
};

const uploaded = async (key: string, content: string): Promise<string> => {
  const form = new FormData();
  const body = { model: 'claude-x', max_tokens: 9, messages: [{ role: 'user', content }] };
  const line = JSON.stringify({ custom_id: '1', method: 'POST', url: '/v1/chat/completions', body });
  form.set('purpose', 'batch');
  form.set('file', new Blob([`${line}\n`]), 'lines.jsonl');
  const headers = { 'x-gw-api-key': key, 'x-gw-provider': 'gw' };
  const answer = await fetch(`http://127.0.0.1:${port}/v1/files`, { method: 'POST', headers, body: form });
  return ((await answer.json()) as { readonly id: string }).id;
};

const batches = async (): Promise<void> => {
  const headers = { 'x-gw-virtual-key': 'claude' };
  const made = async (key: string, content: string): Promise<string> => {
    const body = { input_file_id: await uploaded(key, content), endpoint: '/v1/chat/completions' };
    return (await client.made('POST /batches', { key, headers, body: { ...body, completion_window: 'immediate' } })).id;
  };
  for (let count = 0; count < 4; count += 1) await made(flood, 'hang');
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const id = await made(calm, 'Hello?');
  const isOver = async () => (await client.made(`GET /batches/${id}`, { key: calm, headers })).status === 'completed';
  row("4 hanging lines of one tenant: another's batch", ms(await until(isOver)));
};

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

const opened = (at: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage | undefined> =>
  new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path: `/v1${at}`, headers, agent }, (answer) => {
      // The streams stay open.
      answer.on('error', () => {});
      resolve(answer);
    });
    sent.on('error', () => resolve(undefined));
    sent.end();
  });

const chatMs = async (): Promise<number> => {
  const times: number[] = [];
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hello?' }] };
  for (let count = 0; count < 100; count += 1)
    times.push(
      (await client.ask('POST /chat/completions', { key: calm, headers: { 'x-gw-provider': 'echo' }, body })).ms,
    );
  return median(times);
};

const streams = async (id: string): Promise<void> => {
  const before = await chatMs();
  const open: IncomingMessage[] = [];
  for (let count = 0; count < counts.streams; count += 100) {
    const some = await Promise.all(
      Array.from({ length: 100 }, () => opened(`/responses/${id}?stream=true`, { 'x-gw-api-key': flood })),
    );
    open.push(...some.filter((each) => each !== undefined));
  }
  const isOpen = open.filter(({ statusCode }) => statusCode === 200).length;
  const writes: number[] = [];
  let failed = 0;
  for (let count = 0; count < 10; count += 1) {
    const body = { name: `w${count}`, slug: `w${count}` };
    const { status, ms: took } = await client.ask('POST /workspaces', { body });
    writes.push(took);
    if (status !== 200) failed += 1;
  }
  row(`${counts.streams} streams of one tenant: how many are open`, String(isOpen));
  row(
    'a write of another, in the middle and at most',
    `${ms(median(writes))}, ${ms(Math.max(...writes))}; ${failed} of 10 fail`,
  );
  row('a chat of another, before and with them', `${before.toFixed(2)} ms, ${(await chatMs()).toFixed(2)} ms`);
  for (const each of open) each.destroy();
};

const exports = async (): Promise<void> => {
  const text = 'x'.repeat(counts.bodyBytes);
  const log = { request: { url: 'https://api.test/v1', body: { text } }, response: { body: { text } } };
  for (let count = 0; count < counts.records; count += 2) await client.made('POST /logs', { body: [log, log] });
  const before = residentMb(server.pid);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentMb(server.pid))), 20);
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: counts.exports }, async () => {
      const answer = await opened('/logs/export', { 'x-gw-api-key': adminKey });
      for await (const _ of answer ?? []);
    }),
  );
  clearInterval(timer);
  row(
    `${counts.exports} exports at once of ${counts.records} records with bodies`,
    `${ms(performance.now() - begun)}, ${Math.round(most - before)} MB more than the ${Math.round(before)} MB before`,
  );
};

const run = async (): Promise<void> => {
  process.stdout.write('| what | figure |\n|---|---:|\n');
  [flood, calm] = [await tenant('flood'), await tenant('calm')];
  await exports();
  const id = await background();
  await batches();
  await streams(id);
};

await run().finally(async () => {
  client.close();
  await server.stop();
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
});
process.exit(0);
