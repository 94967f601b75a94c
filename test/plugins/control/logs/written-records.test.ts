import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readFilter } from '../../../../plugins/control/logs/records/record-filters.ts';
import { findRecord, listRecords, readRecords } from '../../../../plugins/control/logs/records/record-store.ts';
import type { LogStore } from '../../../../plugins/control/logs/writer/log-store.ts';
import { toFirstId, traceKey } from '../../../../plugins/control/logs/writer/stored-id.ts';
import type { NewRecord } from '../../../../plugins/control/logs/writer/to-record.ts';
import { writeRecords } from '../../../../plugins/control/logs/writer/write-records.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';
import { describeLogs } from './support/log-stores.ts';
import { sampleRecord } from './support/sample-record.ts';

const start = Date.UTC(2026, 0, 1);
const hexDigits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });

/** A text that both databases store unchanged. */
const someText = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .filter((text) => !text.includes('\0') && text.isWellFormed());
const maybe = fc.option(someText);
const count = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const flag = fc.constantFrom(0, 1);

const record = fc.record({
  time: fc.integer({ min: 0, max: 20 }),
  trace_id: fc.oneof(
    fc.constantFrom('a', 'b'),
    someText,
    hexDigits(32),
    hexDigits(36),
    fc.uuid(),
    fc.constant('A'.repeat(32)),
  ),
  columns: fc.record({
    ...{ organisation_id: someText, key_id: maybe, config: maybe, plan: maybe, method: someText, path: someText },
    ...{ operation: someText, leaf: maybe, prompt: maybe, target: maybe, provider: maybe, slug: maybe },
    ...{ requested_model: maybe, model: maybe, status: fc.integer({ min: 100, max: 599 }), cause: maybe },
    ...{ ending: fc.constantFrom('complete', 'left', 'cut'), is_success: flag, attempts: count, retries: count },
    ...{ fell_back: flag, balanced: flag, cache_status: maybe, source: fc.constantFrom('gateway', 'sent') },
    ...{ micros: count, input_tokens: count, output_tokens: count, cost: count },
  }),
  labels: fc.dictionary(someText, someText, { maxKeys: 3 }),
  detail: fc.dictionary(someText, fc.oneof(someText, fc.constant('x'.repeat(30_000))), { maxKeys: 2 }),
  bodies: fc.option(someText.map((text) => JSON.stringify({ text }))),
});

describeLogs('written records', (log) => {
  const count = async (store: LogStore, table: 'log_rows' | 'log_moved'): Promise<number> => {
    const rows = await store.db.selectFrom(table).select('number').execute();
    return rows.length;
  };

  it('are read back unchanged, and found by their traces, whatever they contain', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(record, { maxLength: 12 }), { maxLength: 4 }), async (batches) => {
        run += 1;
        const workspace = `w${run}`;
        const { store } = log();
        const all: NewRecord[] = [];
        for (const batch of batches) {
          const made = batch.map(({ time, trace_id, columns, labels, detail: given, bodies }, at) => {
            const digits = String(run * 10_000 + all.length + at).padStart(12, '0');
            const id = `${toFirstId(start + time).slice(0, -12)}${digits}`;
            const texts = { labels, detail: JSON.stringify(given) };
            const { record: row, detail } = sampleRecord({
              ...columns,
              ...texts,
              id,
              trace_id,
              workspace_id: workspace,
            });
            return { record: row, detail: { ...detail, bodies } };
          });
          await writeRecords(store, made);
          all.push(...made);
        }
        for (const { record: row, detail } of all) {
          const { bytes: _bytes, ...columns } = row;
          const found = await findRecord(store, workspace, row.id);
          expect(found).toMatchObject({ ...columns, detail: detail.detail, bodies: detail.bodies });
        }
        for (const [trace_id, ofTrace] of Map.groupBy(all, ({ record: { trace_id } }) => trace_id)) {
          const found = await listRecords(store, { tenant: workspace, filter: readFilter({ trace_id }), limit: 100 });
          expect(found.map(({ id }) => id).sort()).toEqual(ofTrace.map(({ record: { id } }) => id).sort());
        }
        const listed = await readRecords(store, { tenant: workspace, filter: readFilter({}), limit: 100 });
        const texts = (rows: readonly { id: string; detail: string }[]) =>
          rows.map(({ id, detail }) => id + detail).sort();
        expect(texts(listed)).toEqual(texts(all.map(({ record: { id }, detail: { detail } }) => ({ id, detail }))));
      }),
      { numRuns: Math.ceil(lawRuns.numRuns / 20) },
    );
  });

  it('are found and listed even if a millisecond has more records than numbers', async () => {
    const { store } = log();
    // As after the clock was set back: ids continue within the last millisecond.
    const time = start + 86_400_000;
    const made = Array.from({ length: 1500 }, (_, at) =>
      sampleRecord({ workspace_id: 'moved', id: `${toFirstId(time).slice(0, -12)}${String(at).padStart(12, '0')}` }),
    );
    for (let at = 0; at < made.length; at += 500) await writeRecords(store, made.slice(at, at + 500));
    await writeRecords(store, made.slice(900, 1400));
    expect(await count(store, 'log_moved')).toBe(1500 - 1024);
    for (const at of [0, 1023, 1024, 1499]) {
      const { id = '', created_at } = made[at]?.record ?? {};
      expect(await findRecord(store, 'moved', id)).toMatchObject({ id, created_at });
      expect(await findRecord(store, 'other', id)).toBeUndefined();
    }
    const ids: string[] = [];
    for (;;) {
      const after = ids.at(-1);
      const part = { limit: 400, ...(after === undefined ? {} : { after }) };
      const page = await listRecords(store, { tenant: 'moved', filter: readFilter({}), ...part });
      ids.push(...page.map(({ id }) => id));
      if (page.length < 400) break;
    }
    expect(ids).toEqual(made.map(({ record: { id } }) => id).toReversed());
  });

  it('are found by model, label or trace if they are not among the newest', async () => {
    const { store } = log();
    const rare = sampleRecord({ workspace_id: 'many', model: 'rare', labels: { team: 'rare' }, trace_id: 'rare' });
    await writeRecords(store, [rare]);
    for (let at = 0; at < 6; at += 1)
      await writeRecords(
        store,
        Array.from({ length: 1000 }, () => sampleRecord({ workspace_id: 'many', labels: { team: 'usual' } })),
      );
    for (const query of [{ model: 'rare' }, { 'metadata.team': 'rare' }, { trace_id: 'rare' }]) {
      const found = await listRecords(store, { tenant: 'many', filter: readFilter(query), limit: 5 });
      expect(found.map(({ id }) => id)).toEqual([rare.record.id]);
      expect(await listRecords(store, { tenant: 'other', filter: readFilter(query), limit: 5 })).toEqual([]);
    }
    const usual = { tenant: 'many', filter: readFilter({ 'metadata.team': 'usual' }), limit: 10_000 };
    expect(await listRecords(store, usual)).toHaveLength(6000);
  });

  it('are found by a trace whose key in the index is also that of another trace', async () => {
    const { store } = log();
    // Both have the same FNV-1a hash.
    const made = ['costarring', 'liquid'].map((trace_id) => sampleRecord({ workspace_id: 'same-key', trace_id }));
    await writeRecords(store, made);
    expect(traceKey(0, 'liquid')).toBe(traceKey(0, 'costarring'));
    for (const { record: row } of made) {
      const filter = readFilter({ trace_id: row.trace_id });
      const found = await listRecords(store, { tenant: 'same-key', filter, limit: 5 });
      expect(found.map(({ id }) => id)).toEqual([row.id]);
    }
  });

  it('share a block if they are written one by one', async () => {
    const { store } = log();
    const blocks = async (): Promise<number> =>
      (await store.db.selectFrom('log_blocks').select('number').execute()).length;
    const before = await blocks();
    for (let at = 0; at < 40; at += 1)
      await writeRecords(store, [sampleRecord({ workspace_id: 'slow', detail: `{"n":${at}}` })]);
    expect(await blocks()).toBeLessThanOrEqual(before + 1);
    const found = await readRecords(store, { tenant: 'slow', filter: readFilter({}), limit: 100 });
    expect(found.map(({ detail }) => detail)).toEqual(Array.from({ length: 40 }, (_, at) => `{"n":${39 - at}}`));
  });

  it('take less than 300 bytes each, including all indexes', async () => {
    const { store } = log();
    const before = await store.size();
    const made = Array.from({ length: 2000 }, (_, at) => {
      const path = `config.targets[${at % 3}]`;
      const trail = [
        ['attempted', path, 'fast', 1, 200, 'upstream', at % 97, (at * 7919) % 99_991],
        ['settled', path, 'fast', 1, ['reported', 'm', null, at % 701, at % 89], ['stop'], (at * 7907) % 99_991],
      ];
      const targets = { [path]: { id: 'fast', provider: 'openai', slug: 'main', model: 'm' } };
      return sampleRecord({
        ...{ workspace_id: `sized-${at % 4}`, key_id: `key-${at % 20}`, trace_id: randomBytes(16).toString('hex') },
        ...{ labels: { team: `t${at % 20}`, env: 'production' }, micros: at * 991, cost: at * 977 },
        detail: JSON.stringify({ seed: at * 104_729, metadata: { team: `t${at % 20}` }, targets, checks: [], trail }),
      });
    });
    for (let at = 0; at < made.length; at += 500) await writeRecords(store, made.slice(at, at + 500));
    expect(((await store.size()) - before) / made.length).toBeLessThan(300);
  });
});
