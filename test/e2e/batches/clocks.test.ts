import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { control, serveStore } from '../../support/gateways/stored-gateway.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { batchClient, toLines } from './support/batch-client.ts';
import { answerLine } from './support/batch-processes.ts';

const shifting = path.join(import.meta.dirname, '../../support/gateways/shifted-clock.mjs');
const hourMs = 3_600_000;
/** Lines of more parts than one workspace runs at the same time, so that some wait. */
const count = 200;

it.each([
  { how: 'while it runs', restarts: false },
  { how: 'between two starts of the gateway', restarts: true },
])(
  'a batch goes on although the clock was set back by an hour $how',
  async ({ restarts }) => {
    const upstream = await startUpstream();
    onTestFinished(() => upstream.close());
    const folder = temporaryFolder({ shift: String(hourMs) });
    const start = () =>
      serveStore('gateway.db', {
        folder,
        command: [process.execPath, '--import', shifting, installedGw],
        env: { GW_TEST_CLOCK_SHIFT: path.join(folder, 'shift') },
      });
    let gateway = await start();
    const settings = { custom_host: `${upstream.origin}/v1` };
    await control(gateway, 'POST /providers', {
      body: { name: 'Main', slug: 'main', provider: 'openai', credential: { api_key: 'sk-main' }, settings },
    });
    const { upload, create, over } = batchClient(() => gateway);
    const { id } = await create(await upload(toLines(count)));
    await expect.poll(() => upstream.requests.length, { timeout: 20_000 }).toBeGreaterThan(0);
    if (restarts) {
      gateway.signal('SIGTERM');
      await gateway.exited;
    }
    writeFileSync(path.join(folder, 'shift'), '0');
    if (restarts) gateway = await start();
    upstream.handle(answerLine);
    expect(await over(id, { count })).toMatchObject({ status: 'completed', request_counts: { completed: count } });
  },
  120_000,
);
