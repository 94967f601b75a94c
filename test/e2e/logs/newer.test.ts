import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { adminKey, callControl, chat, serveStore } from '../../support/gateways/stored-gateway.ts';

it('a log of a newer version stays unchanged, requests are served, and reading records explains the failure', async () => {
  const folder = temporaryFolder();
  const database = new DatabaseSync(path.join(folder, 'gateway-log.db'));
  database.exec(
    'create table log_migrations (number bigint not null primary key, name text not null, at bigint not null)',
  );
  database.exec("insert into log_migrations (number, name, at) values (9999, 'later', 0)");
  const gateway = await serveStore('gateway.db', { folder });
  expect((await chat(gateway, { key: adminKey })).status).toBe(200);
  const { status, body } = await callControl(gateway, 'GET /logs');
  expect([status, body]).toMatchObject([503, { error: { code: 'log-unavailable' } }]);
  expect(gateway.printed()).toMatch(
    /gw: The log cannot be written: The log \S+gateway-log\.db was written by a newer version of this program \(migration 9999; this one knows \d+\)\. Start that version, or restore an earlier backup\. Requests are served without it/,
  );
  expect(database.prepare("select name from sqlite_schema where type = 'table'").all()).toEqual([
    { name: 'log_migrations' },
  ]);
  database.close();
});
