import { copyFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { adminKey, callControl, chat, makeKey, serveStore } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';

it.each([
  ['moved away', 'was deleted or moved', () => {}],
  ['replaced by a copy', 'was replaced by another one', copyFileSync],
])(
  'an SQLite file that is %s while it is in use gets no writes, which would be lost, until it is back',
  async (_, reason, replace) => {
    const folder = temporaryFolder();
    const gateway = await serveStore('gateway.db', { folder });
    const { key } = await makeKey(gateway, 'known');
    await expect.poll(async () => (await chat(gateway, { key })).status).toBe(200);
    const save = (slug: string) =>
      callControl(gateway, 'POST /configs', { body: { name: slug, slug, config: { provider: 'echo' } } });
    const [file, away] = [path.join(folder, 'gateway.db'), path.join(folder, 'away.db')];
    renameSync(file, away);
    replace(away, file);

    expect((await save('meanwhile')).status).toBe(503);
    expect((await chat(gateway, { key })).status).toBe(200);
    const ready = await fetch(`${gateway.origin}/readyz`, { headers: { 'x-gw-api-key': adminKey } });
    expect(await ready.json()).toMatchObject({ status: 'degraded' });
    expect(gateway.printed()).toMatch(
      new RegExp(`The file \\S+gateway\\.db ${reason} while it was open, and what is written to it would be lost\\.`),
    );

    rmSync(file, { force: true });
    renameSync(away, file);
    await expect.poll(async () => (await save('later')).status, patience).toBe(200);
    expect((await callControl(gateway, 'GET /configs/meanwhile')).status).toBe(404);
  },
);
