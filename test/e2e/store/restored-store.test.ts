import { copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runDoctor } from '../../support/commands/run-doctor.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { callControl, control, serveStore } from '../../support/gateways/stored-gateway.ts';

it('a backup that is copied over the store of a killed gateway is not damaged by the changes of that store', async () => {
  const folder = temporaryFolder();
  const gateway = await serveStore('gateway.db', { folder });
  const save = (slug: string) => control(gateway, 'POST /providers', { body: { name: slug, slug, provider: 'echo' } });
  await save('before');
  expect(await runGw(folder, ['backup', 'copy.db', '--store', 'gateway.db'])).toMatchObject({ code: 0 });
  await save('after');
  gateway.signal('SIGKILL');
  await gateway.exited;
  copyFileSync(path.join(folder, 'copy.db'), path.join(folder, 'gateway.db'));
  const remedy = /gateway\.db-wal has changes of an earlier file .* Remove \S+gateway\.db-wal and \S+gateway\.db-shm\./;
  await expect(serveStore('gateway.db', { folder })).rejects.toThrow(remedy);
  const { problems } = await runDoctor(folder, { args: ['--store', 'gateway.db', '--offline'] });
  expect(JSON.stringify(problems)).toMatch(/gateway\.db-wal has changes of an earlier file/);
  for (const ending of ['-wal', '-shm']) rmSync(path.join(folder, `gateway.db${ending}`));
  const restored = await serveStore('gateway.db', { folder });
  expect(await callControl(restored, 'GET /providers/before')).toMatchObject({ status: 200 });
  expect(await callControl(restored, 'GET /providers/after')).toMatchObject({ status: 404 });
});
