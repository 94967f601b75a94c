import { expect, it } from 'vitest';
import { findRecord, readRecords } from '../../../../plugins/control/logs/records/record-store.ts';
import { writeRecords } from '../../../../plugins/control/logs/writer/write-records.ts';
import { describeLogs } from './support/log-stores.ts';
import { sampleRecord } from './support/sample-record.ts';

describeLogs('exported records', (log) => {
  it('are read without their bodies, which are not exported', async () => {
    const { store } = log();
    const sample = sampleRecord({ workspace_id: 'w' });
    const record = { ...sample, detail: { ...sample.detail, bodies: '{"a":1}' } };
    await writeRecords(store, [record]);
    const rows = await readRecords(store, { tenant: 'w', filter: { labels: [], comparisons: [] }, limit: 10 });
    expect(rows.map((row) => [row.id, 'bodies' in row])).toEqual([[record.record.id, false]]);
    expect(await findRecord(store, 'w', record.record.id)).toMatchObject({ bodies: '{"a":1}' });
  });
});
