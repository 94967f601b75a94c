import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchesFilter } from '../../../../plugins/control/logs/records/matches-filter.ts';
import { readFilter } from '../../../../plugins/control/logs/records/record-filters.ts';
import { listRecords } from '../../../../plugins/control/logs/records/record-store.ts';
import { type NewRecord, readLabels } from '../../../../plugins/control/logs/writer/to-record.ts';
import { writeRecords } from '../../../../plugins/control/logs/writer/write-records.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { describeLogs } from './support/log-stores.ts';
import { sampleRecord } from './support/sample-record.ts';

const start = Date.UTC(2026, 0, 1);

const someText = fc.constantFrom('a', 'b', "it's", 'ä', '50%', 'a_b', '', '\u{1F600}');
const workspaces = fc.constantFrom('one', 'two');

const record = fc.record({
  workspace_id: workspaces,
  created_at: fc.integer({ min: 0, max: 50 }).map((seconds) => start + seconds * 1000),
  trace_id: someText,
  key_id: fc.option(someText),
  model: fc.option(someText),
  prompt: fc.option(someText),
  status: fc.constantFrom(200, 429, 500),
  is_success: fc.constantFrom(0, 1),
  micros: fc.integer({ min: 0, max: 5 }).map((ms) => ms * 1000),
  retries: fc.integer({ min: 0, max: 3 }),
  labels: fc.dictionary(fc.constantFrom('team', 'x.y', "o'k"), someText, { maxKeys: 3 }),
});

/** Queries as the API passes them on, already validated by their schema. */
const query: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      trace_id: someText,
      key_id: someText,
      model: someText,
      prompt_slug: someText,
      status: fc.constantFrom(200, 429, 500),
      max_status: fc.constantFrom(200, 429),
      is_success: fc.boolean(),
      min_ms: fc.integer({ min: 0, max: 6 }),
      retry_count: fc.integer({ min: 0, max: 3 }),
      time_min: fc.integer({ min: 0, max: 50 }).map((seconds) => start / 1000 + seconds),
      time_max: fc.integer({ min: 0, max: 55 }).map((seconds) => start / 1000 + seconds - 0.5),
      'metadata.team': someText,
      'metadata.x.y': someText,
      "metadata.o'k": someText,
    },
    { requiredKeys: [] },
  )
  .filter(({ time_min = 0, time_max = Number.POSITIVE_INFINITY }) => time_min <= time_max);

/** Checks whether a record matches a query, in a second implementation without a database. */
const isMeant = ({ record: row }: NewRecord, asked: JsonObject): boolean => {
  const labels = JSON.parse(row.metadata);
  const holds: Readonly<Record<string, (value: never) => boolean>> = {
    trace_id: (value) => row.trace_id === value,
    key_id: (value) => row.key_id === value,
    model: (value) => row.model === value,
    prompt_slug: (value) => row.prompt === value,
    status: (value) => row.status === value,
    max_status: (value) => row.status <= value,
    is_success: (value) => (row.is_success === 1) === value,
    min_ms: (value) => row.micros / 1000 >= value,
    retry_count: (value) => row.retries === value,
    time_min: (value) => row.created_at / 1000 >= value,
    time_max: (value) => row.created_at / 1000 < value,
  };
  return Object.entries(asked).every(([name, value]) =>
    name.startsWith('metadata.') ? labels[name.slice(9)] === value : holds[name]?.(value as never),
  );
};

const byId = (a: string, b: string): number => (a < b ? 1 : -1);

describeLogs('the records that a query selects', (log) => {
  it('are exactly the matching records of its workspace, newest first, for any page size', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 30 }),
        fc.array(fc.tuple(workspaces, query, fc.integer({ min: 1, max: 40 })), { minLength: 1, maxLength: 8 }),
        async (rows, asked) => {
          run += 1;
          const own = (workspace: string): string => `${workspace}-${run}`;
          const inOrder = rows.toSorted((a, b) => a.created_at - b.created_at);
          // The ids that a process creates only increase, so ids in the past are created here.
          const records = inOrder.map(({ workspace_id, created_at, ...row }, at) => {
            const digits = created_at.toString(16).padStart(12, '0');
            const id = `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-${String(run * 100 + at).padStart(12, '0')}`;
            return sampleRecord({ ...row, id, workspace_id: own(workspace_id) });
          });
          const { store } = log();
          await writeRecords(store, records);
          for (const [workspace, given, limit] of asked) {
            const found: string[] = [];
            const filter = readFilter(given);
            for (;;) {
              const after = found.at(-1);
              const part = { limit, ...(after === undefined ? {} : { after }) };
              const page = await listRecords(store, { tenant: own(workspace), filter, ...part });
              found.push(...page.map(({ id }) => id));
              if (page.length < limit) break;
            }
            const meant = records.filter((each) => each.record.workspace_id === own(workspace) && isMeant(each, given));
            expect(found).toEqual(meant.map(({ record: { id } }) => id).sort(byId));
            const ofWorkspace = records.filter((each) => each.record.workspace_id === own(workspace));
            expect(ofWorkspace.filter((each) => matchesFilter(filter, each.record))).toEqual(meant);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('match a label that was cut when it was stored, in lists and when they are written', async () => {
    const { store } = log();
    const [name, value] = ['n'.repeat(200), 'v'.repeat(300)];
    const labels = readLabels({ [name]: value });
    const written = sampleRecord({ workspace_id: 'cut', labels });
    await writeRecords(store, [written]);
    const filter = readFilter({ [`metadata.${name}`]: value });
    const listed = await listRecords(store, { tenant: 'cut', filter, limit: 10 });
    expect(listed.map(({ id }) => id)).toEqual([written.record.id]);
    expect(matchesFilter(filter, written.record)).toBe(true);
  });

  it('cannot be chosen by a filter that does not exist', () => {
    expect(() => readFilter({ modle: 'x' })).toThrow('There is no filter "modle".');
    expect(() => readFilter({ constructor: 'x' })).toThrow('There is no filter');
  });

  it('cannot be chosen by a period that ends before it begins', () => {
    expect(() => readFilter({ time_min: 2, time_max: 1 })).toThrow('The period ends before it begins.');
    expect(readFilter({ time_min: 1, time_max: 1 })).toMatchObject({ min: 1000, max: 1000 });
  });

  it('cannot be chosen by the cause that is shown for the response of a provider', () => {
    expect(() => readFilter({ cause: 'upstream-401' })).toThrow('No record has the cause "upstream-401"');
    expect(readFilter({ cause: 'usage-exhausted' }).comparisons).toEqual([
      { column: 'cause', is: '=', value: 'usage-exhausted' },
    ]);
  });

  it('stay on the same pages while new records are written', async () => {
    const { store } = log();
    const write = (count: number) =>
      writeRecords(
        store,
        Array.from({ length: count }, () => sampleRecord({ workspace_id: 'paged' })),
      );
    await write(25);
    const before = await listRecords(store, { tenant: 'paged', filter: { comparisons: [], labels: [] }, limit: 100 });
    const seen: string[] = [];
    for (;;) {
      const after = seen.at(-1);
      const part = { limit: 4, ...(after === undefined ? {} : { after }) };
      const page = await listRecords(store, { tenant: 'paged', filter: { comparisons: [], labels: [] }, ...part });
      seen.push(...page.map(({ id }) => id));
      if (page.length < 4) break;
      await write(3);
    }
    expect(seen).toEqual(before.map(({ id }) => id));
  });
});
