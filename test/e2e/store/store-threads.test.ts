import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { control, makeKey, serveStore } from '../../support/gateways/stored-gateway.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';

const root = path.join(import.meta.dirname, '../../..');
const megabyte = 1024 * 1024;

interface HeapSpace {
  readonly committedMemory: number;
  readonly used: number;
}

/** The members of Node's report about a thread. */
interface ThreadReport {
  readonly javascriptHeap: { readonly heapSpaces: Readonly<Record<string, HeapSpace>> };
}

/** Starts a checkout as `npm start` does, with a compile cache in its folder. */
const start = (folder: string, store = 'gateway.db'): Promise<GatewayProcess> =>
  serveStore(store, {
    folder,
    command: [
      process.execPath,
      ...['--max-semi-space-size=16', '--report-on-signal', '--report-signal=SIGUSR2'],
      path.join(root, 'gw.js'),
    ],
    env: { TMPDIR: folder },
    unset: ['NODE_COMPILE_CACHE'],
  });

const request = async ({ baseUrl }: GatewayProcess, key: string): Promise<number> => {
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': key, 'x-gw-config': '{"provider":"echo"}' },
    body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hello!' }] }),
  });
  await answer.text();
  return answer.status;
};

const readThreads = ({ folder, signal }: GatewayProcess): Promise<readonly ThreadReport[]> => {
  signal('SIGUSR2');
  return vi.waitFor(() => {
    const report = readdirSync(folder).find((name) => name.startsWith('report.')) ?? 'no report';
    return JSON.parse(readFileSync(path.join(folder, report), 'utf8')).workers;
  }, 30_000);
};

it('the thread of the store and the log keeps little memory: no compiler, and a limited amount of garbage', async () => {
  const folder = temporaryFolder();
  const first = await start(folder);
  const { key } = await makeKey(first, 'app');
  expect(await request(first, key)).toBe(200);
  first.signal('SIGTERM');
  await first.exited;

  const second = await start(folder);
  for (let round = 0; round < 40; round += 1) {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => request(second, key)));
    expect(new Set(statuses)).toEqual(new Set([200]));
  }
  const threads = await readThreads(second);
  expect(threads.length).toBe(1);
  for (const { heapSpaces } of threads.map(({ javascriptHeap }) => javascriptHeap)) {
    // The code that strips types is 3.8 MB of text. It is not needed for sources that were stripped before.
    expect(heapSpaces.large_object_space?.used).toBeLessThan(2 * megabyte);
    expect(heapSpaces.new_space?.committedMemory).toBeLessThanOrEqual(12 * megabyte);
  }
}, 120_000);

const programs = postgresFolder();

it.runIf(programs !== undefined)(
  'a store and a log in PostgreSQL are written by one thread',
  async () => {
    const server = await startPostgres(programs ?? '');
    onTestFinished(() => server.stop());
    const gateway = await start(temporaryFolder(), server.url);
    const { key } = await makeKey(gateway, 'app');
    expect(await request(gateway, key)).toBe(200);
    // By then the ledger and the log have been written.
    await expect.poll(async () => (await control(gateway, 'GET /logs')).data).toHaveLength(1);

    await vi.waitFor(
      async () => expect((await control(gateway, 'GET /usage')).summary).toMatchObject({ attempts: 1 }),
      30_000,
    );
    expect(await readThreads(gateway)).toHaveLength(1);
  },
  120_000,
);
