import { truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { callControl, chat, control, makeKey, serveStore } from '../../support/gateways/stored-gateway.ts';
import { logStatus } from '../logs/support/watched-log.ts';

const save = (gateway: Parameters<typeof callControl>[0], slug: string) =>
  callControl(gateway, 'POST /configs', { body: { name: slug, slug, config: { provider: 'echo' } } });

it('a gateway whose gateway-log.db is emptied while it is open serves without the log, and says so once', async () => {
  const folder = temporaryFolder();
  const gateway = await serveStore('gateway.db', { folder });
  const { key } = await makeKey(gateway, 'known');
  await expect.poll(async () => (await chat(gateway, { key })).status).toBe(200);
  await expect.poll(() => logStatus(gateway)).toMatchObject({ waiting: 0 });
  truncateSync(path.join(folder, 'gateway-log.db'));
  expect((await chat(gateway, { key })).status).toBe(200);
  await expect.poll(() => logStatus(gateway)).toMatchObject({ status: 'away', waiting: 1 });
  expect((await save(gateway, 'meanwhile')).status).toBe(200);
  expect(gateway.printed().match(/^gw: The log .*$/gm)).toEqual([
    expect.stringMatching(
      /^gw: The log cannot be written: The file \S+gateway-log\.db was truncated while it was open,/,
    ),
  ]);
});

it('a gateway whose -shm files are emptied while they are open loses nothing, and continues', async () => {
  const folder = temporaryFolder();
  const gateway = await serveStore('gateway.db', { folder });
  const { key } = await makeKey(gateway, 'known');
  await expect.poll(async () => (await chat(gateway, { key })).status).toBe(200);
  for (const name of ['first', 'second']) {
    for (const store of ['gateway', 'gateway-log']) truncateSync(path.join(folder, `${store}.db-shm`));
    expect((await save(gateway, name)).status).toBe(200);
    expect((await chat(gateway, { key })).status).toBe(200);
    expect((await control(gateway, `GET /configs/${name}`)).slug).toBe(name);
  }
  await expect.poll(() => logStatus(gateway)).toMatchObject({ status: 'ready', waiting: 0 });
  for (const store of ['gateway', 'gateway-log']) truncateSync(path.join(folder, `${store}.db-shm`));
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
  const next = await serveStore('gateway.db', { folder });
  for (const name of ['first', 'second']) expect((await control(next, `GET /configs/${name}`)).slug).toBe(name);
});
