import { truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { callControl, chat, makeKey, serveStore } from '../../support/gateways/stored-gateway.ts';
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
