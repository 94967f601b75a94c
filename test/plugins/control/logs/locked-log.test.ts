import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { openLogStore, toLogFile } from '../../../../plugins/control/logs/writer/open-log-store.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';

it('if another process makes a write to the log wait until it fails, those behind it fail too', async () => {
  const url = path.join(temporaryFolder(), 'gateway.db');
  const log = await openLogStore(url);
  onTestFinished(() => log.close());
  const other = new DatabaseSync(toLogFile(url));
  onTestFinished(() => other.close());
  other.exec('begin immediate');

  const write = (name: string): Promise<unknown> =>
    log.write((writing) => writing.insertInto('log_totals').values({ name, value: 1 }).execute());
  const job = new URL('../kernel/store/thread-job.ts', import.meta.url);
  const first = write('first');
  const behind = Promise.allSettled([write('second'), log.perform(job, Buffer.from(String(process.pid)))]);
  await expect(first).rejects.toThrow('gateway-log.db has been locked by another process for too long.');
  other.exec('rollback');
  expect(await behind).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);

  await write('third');
  const totals = await log.db.selectFrom('log_totals').select('name').where('value', '=', 1).execute();
  expect(totals).toEqual([{ name: 'third' }]);
});
