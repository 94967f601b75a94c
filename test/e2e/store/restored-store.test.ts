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

it('a restored backup serves what needs no credential, and the log says which credentials to save again', async () => {
  const folder = temporaryFolder();
  const gateway = await serveStore('gateway.db', { folder });
  const credential = { api_key: 'sk-of-the-provider' };
  for (const body of [
    { name: 'echo', slug: 'echo', provider: 'echo' },
    { name: 'main', slug: 'main', provider: 'openai', credential },
  ])
    await control(gateway, 'POST /providers', { body });
  const { id } = await control(gateway, 'GET /providers/main');
  expect(await runGw(folder, ['backup', 'copy.db', '--store', 'gateway.db'])).toMatchObject({ code: 0 });
  await gateway.stop();
  for (const ending of ['-wal', '-shm']) rmSync(path.join(folder, `gateway.db${ending}`), { force: true });
  copyFileSync(path.join(folder, 'copy.db'), path.join(folder, 'gateway.db'));
  const restored = await serveStore('gateway.db', { folder });
  const ask = (model: string) =>
    callControl(restored, 'POST /chat/completions', {
      body: { model, messages: [{ role: 'user', content: 'Hello!' }] },
    });
  expect(await ask('@echo/any')).toMatchObject({ status: 200 });
  expect(await ask('@main/any')).toMatchObject({ status: 500 });
  await expect
    .poll(() => restored.printed())
    .toContain(
      `The secret \${saved:providers/${id}/credential/api_key} cannot be decrypted, for example because a backup was restored, which has no keys of secrets. Save this credential again.`,
    );
});
