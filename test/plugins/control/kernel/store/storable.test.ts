import fc from 'fast-check';
import { expect, it } from 'vitest';
import { insertAudit } from '../../../../../plugins/control/access/audit/audit-store.ts';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import { storableJson, storableRow } from '../../../../../plugins/control/kernel/store/rows/storable.ts';
import { changeFeedback, giveFeedback } from '../../../../../plugins/control/logs/feedback/feedback-routes.ts';
import { ingestedRecord } from '../../../../../plugins/control/logs/records/ingested-record.ts';
import { defaultLogSettings } from '../../../../../plugins/control/logs/settings/log-settings.ts';
import { openLogStore } from '../../../../../plugins/control/logs/writer/open-log-store.ts';
import { toRecord } from '../../../../../plugins/control/logs/writer/to-record.ts';
import { writeRecords } from '../../../../../plugins/control/logs/writer/write-records.ts';
import { createRecords } from '../../../../../plugins/control/metering/ledger/ledger-record.ts';
import { rootPointer } from '../../../../../schema/json/pointer.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';

/** A text that a caller may send anywhere, and the text that is stored for it. */
const dirty = 'a\0b\ud83dc';
const clean = 'a\ufffdb\ufffdc';

/** Characters that a database cannot read back, literally or escaped in JSON. */
const foreign = /\0|\p{Surrogate}|\\u(?:0000|d[89a-f])/iu;

const id = newId(Date.now());
const labels = { [dirty]: dirty };

const noted = toRecord({
  ...{ id, organisation: 'o', workspace: 'w', operation: dirty },
  line: {
    ...{ trace: dirty, seed: 1, plan: dirty, route: `${dirty} /${dirty}`, status: 400, end: 'failed', ms: 1 },
    ...{ cause: 'conflict', key: dirty, metadata: labels },
    trail: [{ kind: 'attempted', path: rootPointer, target: dirty, attempt: 1, status: 200, origin: 'upstream' }],
  },
  problem: { cause: 'conflict', hint: dirty },
  config: dirty,
  leaf: { path: rootPointer, provider: dirty, retries: 0, cache: 'DISABLED' },
  targets: { '': { id: dirty, provider: dirty, slug: dirty, model: dirty } },
  ...{ balanced: false, prompt: dirty, requestedModel: dirty },
  ...{ checks: [labels], headers: labels, error: dirty },
});

const sent = ingestedRecord(
  {
    request: { url: `/${dirty}`, method: dirty, headers: { 'user-agent': dirty }, body: { model: dirty } },
    response: { body: { model: dirty } },
    metadata: { ...labels, trace_id: dirty, _prompt: dirty },
  },
  { id, organisation: 'o', workspace: 'w', key: dirty, trace: dirty, settings: defaultLogSettings },
);

const posted = createRecords()({
  id: 'p',
  charges: [{ policy: 'p', bucket: dirty, unit: 'tokens', amount: 1, window: 1 }],
  entry: {
    ...{ at: 1, trace: dirty, organisation: 'o', workspace: 'w', key: dirty, config: dirty, prompt: dirty },
    ...{ provider: dirty, slug: dirty, model: dirty, metadata: labels, isFirst: true },
    usage: {
      ...{ kind: 'reported', model: dirty, tier: dirty, cost: { nanoUsd: 1, prices: dirty } },
      ...{ input: { total: 1 }, output: { total: 1 } },
    },
  },
});

it.each(Object.entries({ noted, sent }))(
  'stores no text that a database cannot read in a log record (%s)',
  (_, rows) => {
    for (const row of [rows.record, rows.detail])
      for (const [column, value] of Object.entries(row))
        expect([column, foreign.test(String(value))]).toEqual([column, false]);
    expect(JSON.parse(rows.record.metadata)).toMatchObject({ [clean]: clean });
    expect(rows.record.requested_model).toBe(clean);
  },
);

it('stores no text that a database cannot read in the ledger and its counters', () => {
  const { facts = {}, ...used } = posted.attempt ?? {};
  const counter = posted.charges[0]?.counter ?? {};
  const columns = [facts, used, counter].flatMap((each) => Object.entries(each));
  expect(columns.length).toBeGreaterThan(25);
  for (const [column, value] of columns) expect([column, foreign.test(String(value))]).toEqual([column, false]);
});

it('stores no text that a database cannot read in the audit log and in feedback', async () => {
  const url = `${temporaryFolder()}/gateway.db`;
  const store = await openStore({ url, serving: false });
  const record = {
    ...{ id: 'a', at: 1, organisation: dirty, workspace: dirty, method: dirty, uri: dirty },
    actor: dirty,
  };
  const more = { resourceType: dirty, action: dirty, status: 200, clientIp: dirty, detail: { [dirty]: dirty } };
  await store.write((writing) => insertAudit(writing, { ...record, ...more }));
  const audits = await store.db.selectFrom('audit_log').selectAll().execute();
  await store.close();
  const log = await openLogStore(url);
  const parts = { store: () => log, now: Date.now };
  const [given = ''] = await giveFeedback(parts, { tenant: 'w', key: dirty }, [
    { trace_id: dirty, value: 1, weight: 1, metadata: labels },
  ]);
  const first = await log.db.selectFrom('log_feedback').selectAll().execute();
  await changeFeedback(parts, { tenant: 'w', id: given }, { metadata: labels });
  const rows = [...audits, ...first, ...(await log.db.selectFrom('log_feedback').selectAll().execute())];
  await log.close();
  expect(rows).toHaveLength(3);
  for (const row of rows)
    for (const [column, value] of Object.entries(row))
      expect([column, foreign.test(String(value))]).toEqual([column, false]);
});

it('leaves rows unchanged if databases can read them', () => {
  fc.assert(
    fc.property(fc.json(), fc.string({ unit: 'grapheme' }), (json, text) => {
      fc.pre(!foreign.test(json) && !foreign.test(text));
      const row = { json, text, number: 1, nothing: null };
      expect(storableRow(row, ['json'])).toBe(row);
    }),
  );
});

it('converts any JSON into JSON that both databases can read', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ stringUnit: fc.constantFrom('\0', '\ud83d', '\udc00', '\\', 'u0000', '"', 'a') }),
      (value) => {
        const text = storableJson(JSON.stringify(value));
        expect(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(text)).toBe(false);
        expect(storableJson(text)).toBe(text);
      },
    ),
  );
});

it('writes and lists records whose texts a database could not read as they were sent', async () => {
  const log = await openLogStore(`${temporaryFolder()}/gateway.db`);
  await writeRecords(log, [noted]);
  expect(await log.db.selectFrom('log_labels').select(['name', 'value']).execute()).toEqual([
    { name: clean, value: clean },
  ]);
  expect(await log.db.selectFrom('log_hours').select('model').execute()).toEqual([{ model: clean }]);
  await log.close();
});
