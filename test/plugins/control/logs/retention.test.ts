import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toLogFile } from '../../../../plugins/control/logs/writer/open-log-store.ts';
import { enforceRetention, type RetentionLimits } from '../../../../plugins/control/logs/writer/retention.ts';
import { writeRecords } from '../../../../plugins/control/logs/writer/write-records.ts';
import { describeLogs } from './support/log-stores.ts';
import { sampleRecord } from './support/sample-record.ts';

const megabyte = 1024 * 1024;
/** Returns random hexadecimal digits, which can hardly be compressed. */
const toText = (length: number): string => JSON.stringify({ text: randomBytes(length / 2).toString('hex') });

describeLogs('the content of the log', (log) => {
  const keep = (kept: RetentionLimits, now = Date.now()): Promise<void> =>
    enforceRetention({ store: log().store, kept, now, pause: async () => true });
  const count = async (table: 'log_records' | 'log_blocks' | 'log_labels' | 'log_hours'): Promise<number> => {
    const { n } = await log()
      .store.db.selectFrom(table)
      .select((each) => each.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    return Number(n);
  };
  const write = async (records: number, labels: Readonly<Record<string, string>> = { team: 'red' }): Promise<void> => {
    for (let at = 0; at < records; at += 250)
      await writeRecords(
        log().store,
        Array.from({ length: 250 }, (_, n) =>
          sampleRecord({ labels: { ...labels, n: String(n) }, detail: toText(6000), trace_id: `${at}-${n}` }),
        ),
      );
  };

  it('stays within the byte limit: the oldest records are deleted, and the file stays bounded', async () => {
    const { store, url } = log();
    for (let round = 0; round < 3; round += 1) {
      await write(750);
      await keep({ days: 30, bytes: 2 * megabyte });
      expect(await store.size()).toBeLessThanOrEqual(2 * megabyte);
    }
    const left = await count('log_records');
    expect(left).toBeGreaterThan(100);
    expect(left).toBeLessThan(750);
    const blocks = await store.db.selectFrom('log_blocks').select('remaining').execute();
    expect(blocks.reduce((sum, { remaining }) => sum + remaining, 0)).toBe(left);
    expect(await count('log_labels')).toBe(2 * left);
    const { n } = await store.db
      .selectFrom('log_hours')
      .select((each) => each.fn.sum<number>('requests').as('n'))
      .executeTakeFirstOrThrow();
    expect(Number(n)).toBe(2250);
    if (store.kind === 'sqlite') {
      // Free space is returned in steps.
      for (let round = 0; round < 5; round += 1) await store.shrink();
      await store.write(async (writing) => void (await writing.selectFrom('log_totals').selectAll().execute()));
      expect(statSync(toLogFile(url)).size).toBeLessThan(3 * megabyte);
    }
  });

  it('is checked without any write to the journal if nothing is deleted', async () => {
    const { store, url } = log();
    if (store.kind === 'postgres') return;
    const journal = `${toLogFile(url)}-wal`;
    await keep({ days: 30, bytes: 4 * megabyte });
    for (let step = 0; step < 5; step += 1) await store.shrink();
    await write(250);
    const written = statSync(journal).size;
    expect(written).toBeGreaterThan(0);
    await keep({ days: 30, bytes: 1024 * megabyte });
    expect(statSync(journal).size).toBe(written);
  });

  it('is no older than the maximum number of days, but its hourly sums stay', async () => {
    const { store } = log();
    const later = Date.now() + 10 * 86_400_000;
    await keep({ days: 5, bytes: 100 * megabyte }, later);
    expect([await count('log_records'), await count('log_labels'), await count('log_blocks')]).toEqual([0, 0, 0]);
    expect(await count('log_hours')).toBeGreaterThan(0);
    const total = await store.db.selectFrom('log_totals').selectAll().executeTakeFirst();
    expect(total).toEqual({ name: 'bytes', value: 0 });
  });

  it('contains each record once, even if it is written again', async () => {
    const { store } = log();
    const records = [sampleRecord({ workspace_id: 'again' }), sampleRecord({ workspace_id: 'again' })];
    await writeRecords(store, records);
    await writeRecords(store, records);
    const { n } = await store.db
      .selectFrom('log_hours')
      .select((each) => each.fn.sum<number>('requests').as('n'))
      .where('workspace_id', '=', 'again')
      .executeTakeFirstOrThrow();
    expect(Number(n)).toBe(2);
  });

  it('has replacements for characters that a database cannot store', async () => {
    const { store } = log();
    await writeRecords(store, [sampleRecord({ workspace_id: 'odd', model: 'a\0b\ud800', labels: { n: '\0' } })]);
    const row = await store.db
      .selectFrom('log_records')
      .selectAll()
      .where('workspace_id', '=', 'odd')
      .executeTakeFirst();
    expect(row?.model).toBe('a\uFFFDb\uFFFD');
  });

  it('uses most of the byte limit, however large each record is', async () => {
    const { store } = log();
    const records = Array.from({ length: 150 }, (_, n) =>
      sampleRecord({ detail: toText(120_000), trace_id: String(n) }),
    );
    await writeRecords(store, records);
    await keep({ days: 30, bytes: 4 * megabyte });
    expect(await store.size()).toBeLessThanOrEqual(4 * megabyte);
    expect(await count('log_records')).toBeGreaterThan(40);
  });
});
