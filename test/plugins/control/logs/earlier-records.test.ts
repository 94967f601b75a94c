import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readFilter } from '../../../../plugins/control/logs/records/record-filters.ts';
import { findRecord, listRecords } from '../../../../plugins/control/logs/records/record-store.ts';
import { convertEarlier, hasRecordsBefore } from '../../../../plugins/control/logs/writer/convert-earlier.ts';
import type { LogStore } from '../../../../plugins/control/logs/writer/log-store.ts';
import { openLogStore } from '../../../../plugins/control/logs/writer/open-log-store.ts';
import { enforceRetention } from '../../../../plugins/control/logs/writer/retention.ts';
import { toFirstId } from '../../../../plugins/control/logs/writer/stored-id.ts';
import type { NewRecord } from '../../../../plugins/control/logs/writer/to-record.ts';
import { writeRecords } from '../../../../plugins/control/logs/writer/write-records.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { isSampled } from '../../../support/run/sampled-pairs.ts';
import { postgresFolder, startPostgres } from '../../../support/servers/postgres-server.ts';
import { writeEarlierLog } from './support/earlier-log.ts';
import { sampleRecord } from './support/sample-record.ts';

const programs = postgresFolder();

const newLog = async (kind: string): Promise<string> => {
  if (kind === 'SQLite') return path.join(temporaryFolder(), 'gateway.db');
  const server = await startPostgres(programs ?? '');
  onTestFinished(() => server.stop());
  return server.url;
};

const opened = async (url: string): Promise<LogStore> => {
  const store = await openLogStore(url);
  onTestFinished(() => store.close());
  return store;
};

/** The number of records, which are converted in three steps. */
const records = 550;
const start = Date.now() - 86_400_000;

/** Creates an id in the past, because the ids that a process creates only increase. */
const toId = (time: number): string => `${toFirstId(time).slice(0, -4)}0abc`;

/** Returns records of two workspaces, some with problems, bodies and labels. */
const earlier = (): readonly NewRecord[] =>
  Array.from({ length: records }, (_, at) => {
    const labels = at % 3 === 0 ? {} : { team: `t${at % 5}`, n: String(at) };
    const problem = at % 7 === 0 ? { problem: { cause: 'conflict', hint: `h${at}` } } : {};
    const { record, detail } = sampleRecord({
      ...{ id: toId(start + at * 10), workspace_id: at % 2 === 0 ? 'one' : 'two', labels, micros: at },
      ...{ model: `m${at % 4}`, trace_id: `trace-${at % 50}`, bytes: 1000 },
      detail: JSON.stringify({ seed: at, metadata: labels, ...problem }),
    });
    return { record, detail: { ...detail, bodies: at % 99 === 0 ? `{"sealed":${at}}` : null } };
  });

const list = (store: LogStore, tenant: string, query = {}) =>
  listRecords(store, { tenant, filter: readFilter(query), limit: 2 * records });

const toIds = (all: readonly NewRecord[], isMeant: (record: NewRecord['record']) => boolean): readonly string[] =>
  all
    .map(({ record }) => record)
    .filter(isMeant)
    .map(({ id }) => id)
    .toReversed();

const convert = (store: LogStore, steps = Number.POSITIVE_INFINITY): Promise<void> => {
  let left = steps;
  return convertEarlier({ store, say: () => {}, pause: async () => --left > 0 });
};

describe.each(['SQLite', ...(programs === undefined ? [] : ['PostgreSQL'])])(
  'a log of an earlier version in %s',
  (kind) => {
    it('is reported in the singular if it has one record', async () => {
      const url = await newLog(kind);
      await writeEarlierLog(url, earlier().slice(0, 1));
      const messages: string[] = [];
      const store = await opened(url);
      await convertEarlier({ store, say: (text) => messages.push(text), pause: async () => true });
      expect(messages[0]).toMatch(/^gw: The log has 1 record of an earlier version\. Such records are converted /);
    });

    it('is converted completely, with all contents of its records, and is listed with newer records', async () => {
      const url = await newLog(kind);
      const before = earlier();
      await writeEarlierLog(url, before);
      const store = await opened(url);
      const news = sampleRecord({ workspace_id: 'one', model: 'new' });
      await writeRecords(store, [news]);
      const messages: string[] = [];
      await convertEarlier({ store, say: (text) => messages.push(text), pause: async () => true });
      expect(messages.join('')).toContain(`gw: The log has ${records} records of an earlier version.`);
      expect(await hasRecordsBefore(store.db, kind === 'SQLite' ? 'sqlite' : 'postgres')).toBe(false);
      const all = [...before, news];
      for (const tenant of ['one', 'two']) {
        const found = await list(store, tenant);
        expect(found.map(({ id }) => id)).toEqual(toIds(all, ({ workspace_id }) => workspace_id === tenant));
      }
      const labelled = await list(store, 'two', { 'metadata.team': 't1', model: 'm1' });
      expect(labelled.map(({ id }) => id)).toEqual(
        toIds(
          all,
          ({ workspace_id, model, metadata }) =>
            [workspace_id, model, JSON.parse(metadata).team].join() === ['two', 'm1', 't1'].join(),
        ),
      );
      const traced = await list(store, 'two', { trace_id: 'trace-7' });
      expect(traced).toHaveLength(records / 50);
      for (const [at, { record, detail }] of before.entries()) {
        if (!isSampled(at, 0, 5)) continue;
        const { bytes: _bytes, has_problem: _hasProblem, ...columns } = record;
        expect(await findRecord(store, record.workspace_id, record.id)).toMatchObject({
          ...columns,
          ...{ detail: detail.detail, bodies: detail.bodies },
        });
        expect(await findRecord(store, 'other', record.id)).toBeUndefined();
      }
      const problems = (await list(store, 'two')).flatMap(({ problem }) => problem ?? []);
      expect(problems).toContain('{"cause":"conflict","hint":"h7"}');
    });

    it('is converted from its newest record on, and loses nothing if the conversion is interrupted', async () => {
      const url = await newLog(kind);
      const before = earlier();
      await writeEarlierLog(url, before);
      const first = await openLogStore(url);
      await convert(first, 1);
      const found = [...(await list(first, 'one')), ...(await list(first, 'two'))];
      expect(found.map(({ id }) => id).sort()).toEqual(
        before
          .slice(-found.length)
          .map(({ record: { id } }) => id)
          .sort(),
      );
      expect(found.length).toBeLessThan(records);
      await first.close();
      const again = await opened(url);
      await convert(again);
      expect((await list(again, 'one')).length + (await list(again, 'two')).length).toBe(records);
    });

    it('is converted completely even if its newest details have no records', async () => {
      const url = await newLog(kind);
      const before = earlier();
      await writeEarlierLog(url, before);
      const store = await opened(url);
      await store.write(async (writing) => {
        const ids = sql.join(before.slice(200).map(({ record }) => record.id));
        await sql`delete from log_records_before where id in (${ids})`.execute(writing);
      });
      await convert(store);
      const ids = [...(await list(store, 'one')), ...(await list(store, 'two'))].map(({ id }) => id);
      expect(ids.sort()).toEqual(before.slice(0, 200).map(({ record }) => record.id));
      expect(await hasRecordsBefore(store.db, store.kind)).toBe(false);
    });

    it('is pruned from its oldest record on, even if it is not completely converted', async () => {
      const url = await newLog(kind);
      const before = earlier();
      await writeEarlierLog(url, before);
      const store = await opened(url);
      await convert(store, 1);
      const keepFrom = start + 200 * 10;
      const kept = { days: 1, bytes: 2 ** 30 };
      await enforceRetention({ store, kept, now: keepFrom + 86_400_000, pause: async () => true });
      await convert(store);
      const ids = [...(await list(store, 'one')), ...(await list(store, 'two'))].map(({ id }) => id);
      expect(ids.sort()).toEqual(before.slice(200).map(({ record: { id } }) => id));
      await enforceRetention({ store, kept, now: Date.now() + 2 * 86_400_000, pause: async () => true });
      expect(await store.db.selectFrom('log_totals').selectAll().execute()).toEqual([{ name: 'bytes', value: 0 }]);
      for (const table of [
        'log_rows',
        'log_facts',
        'log_label_sets',
        'log_label_pairs',
        'log_blocks',
        'log_bodies',
      ] as const)
        expect([table, await store.db.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    });
  },
);
