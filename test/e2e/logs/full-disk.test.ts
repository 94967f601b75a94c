import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { adminKey, chat, serveStore } from '../../support/gateways/stored-gateway.ts';
import { read } from './support/logged.ts';
import { logStatus, toLoad, total } from './support/watched-log.ts';

const prlimit = '/usr/bin/prlimit';

it.runIf(existsSync(prlimit))(
  'requests succeed while the disk of the log is full, and the gateway reports dropped records',
  async () => {
    const settings = { log: { bodies: true, body_bytes: 1_000_000 } };
    const own = temporaryFolder({ 'gateway.json': settings });
    // The size limit of the files that the gateway writes, in kilobytes, until it is lifted.
    const limited = 'ulimit -S -f 3000; exec "$0" "$@"';
    const gateway = await serveStore('gateway.db', {
      folder: own,
      command: ['bash', '-c', limited, process.execPath, installedGw],
    });
    const ask = (text: string) =>
      fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gw-api-key': adminKey, 'x-gw-provider': 'echo' },
        body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: text }] }),
      });
    const { load } = toLoad(gateway);
    const large = 'x'.repeat(900_000);
    await expect
      .poll(
        async () => {
          expect((await ask(large)).status).toBe(200);
          return (await logStatus(gateway)).dropped;
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0);
    expect(await logStatus(gateway)).toMatchObject({ status: 'away' });
    expect(gateway.printed()).toMatch(/gw: The log cannot be written: The file \S+gateway-log\.db cannot .*disk/);
    await expect.poll(() => gateway.printed()).toMatch(/gw: The log has dropped \d+ records/);
    execFileSync(prlimit, ['--pid', String(gateway.pid), '--fsize=unlimited']);
    await expect.poll(() => logStatus(gateway)).toMatchObject({ status: 'ready', waiting: 0 });
    await load.end();
    expect(load.failures()).toEqual([]);
    const before = await total(gateway);
    await ask('again');
    await expect.poll(() => total(gateway)).toBeGreaterThan(before);
  },
  120_000,
);

it('a gateway that cannot open its log serves requests and reports the problem', async () => {
  const own = temporaryFolder();
  writeFileSync(path.join(own, 'gateway-log.db'), 'This is no database.'.repeat(100));
  const gateway = await serveStore('gateway.db', { folder: own });
  expect((await chat(gateway, { key: adminKey })).status).toBe(200);
  expect(gateway.printed()).toMatch(/gw: The log cannot be written: The file \S+ is not an SQLite database/);
  expect(await logStatus(gateway)).toMatchObject({ status: 'away' });
  expect(await read(gateway, '/logs')).toMatchObject({ status: 503, body: { error: { type: 'gateway_error' } } });
  expect((await read(gateway, '/configs')).status).toBe(200);
});
