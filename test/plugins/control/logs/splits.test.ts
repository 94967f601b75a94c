import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Drawing, drawGraph } from '../../../../plugins/control/logs/analytics/draw-graph.ts';
import { graphs } from '../../../../plugins/control/logs/analytics/graphs.ts';
import { labelPrefix, maxValues } from '../../../../plugins/control/logs/writer/dimensions.ts';
import { largestError } from '../../../../plugins/control/logs/writer/histogram.ts';
import type { LogStore } from '../../../../plugins/control/logs/writer/log-store.ts';
import { enforceRetention } from '../../../../plugins/control/logs/writer/retention.ts';
import { toFirstId } from '../../../../plugins/control/logs/writer/stored-id.ts';
import { writeRecords } from '../../../../plugins/control/logs/writer/write-records.ts';
import { dayMs, hourMs } from '../../../../schema/durations.ts';
import { describeLogs } from './support/log-stores.ts';
import { type SampleRecord, sampleRecord } from './support/sample-record.ts';

const start = Date.UTC(2026, 0, 5);
const labels = ['team', '__proto__'];
const value = fc.option(fc.constantFrom('a', 'b', 'C', 'é', '"', 'x'.repeat(300)));

const record = fc.record({
  time: fc.integer({ min: 0, max: 5 * hourMs - 1 }),
  ...{ key_id: value, config: value, prompt: value, provider: value, model: value, target: value },
  status: fc.constantFrom(200, 404, 500),
  ending: fc.constantFrom('complete', 'left', 'cut'),
  cache_status: fc.option(fc.constantFrom('HIT', 'MISS', 'SEMANTIC HIT', 'DISABLED')),
  ...{ is_success: fc.constantFrom(0, 1), fell_back: fc.constantFrom(0, 1) },
  micros: fc.integer({ min: 0, max: 90_000_000 }),
  first_micros: fc.option(fc.integer({ min: 0, max: 90_000_000 })),
  ...{ input_tokens: fc.nat(5000), cached_tokens: fc.nat(5000), output_tokens: fc.nat(5000), cost: fc.nat(1e9) },
  team: fc.option(fc.constantFrom('red', 'blue', '')),
});

type Made = typeof record extends fc.Arbitrary<infer Value> ? Value : never;

let made = 0;

/** Creates a unique id for a record of the given time. */
const idAt = (time: number): string => {
  made += 1;
  return `${toFirstId(time).slice(0, -12)}${String(made).padStart(12, '0')}`;
};

const written = ({ time, team, ...columns }: Made, workspace_id: string): SampleRecord => ({
  ...columns,
  ...{ workspace_id, organisation_id: `of ${workspace_id}`, id: idAt(start + time) },
  labels: team === null ? {} : { team },
});

/** Returns the value by which a record is split, as the response shows it: `other` if it is too long. */
const shown = (text: string | null): string => JSON.stringify(text !== null && text.length > 200 ? 'other' : text);

const splitBy: Readonly<Record<string, (made: Made) => string | null>> = {
  key_id: ({ key_id }) => key_id,
  config: ({ config }) => config,
  prompt_slug: ({ prompt }) => prompt,
  provider: ({ provider }) => provider,
  model: ({ model }) => model,
  target: ({ target }) => target,
  status: ({ status }) => String(status),
  outcome: ({ ending, is_success }) => (ending === 'complete' ? (is_success === 1 ? 'success' : 'error') : ending),
  cache_status: ({ cache_status }) => cache_status,
  'metadata.team': ({ team }) => team,
  'metadata.__proto__': () => null,
};

const sum = (of: readonly Made[], figure: (made: Made) => number): number =>
  of.reduce((all, made) => all + figure(made), 0);

const rank = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0;

const near = (figure: unknown, micros: readonly number[], share: number): void => {
  if (micros.length === 0) expect(figure).toBeNull();
  else {
    const exact = rank(micros, share) / 1000;
    // Milliseconds are rounded to two decimals.
    expect(Math.abs(Number(figure) - exact)).toBeLessThanOrEqual(exact * largestError + 0.005_01);
  }
};

/** Compares figures with those that a simple model computes from the same requests. */
const expectFigures = (graph: string, figures: unknown, of: readonly Made[], isOther: boolean): void => {
  const hits = sum(of, ({ cache_status }) => (cache_status?.endsWith('HIT') === true ? 1 : 0));
  const misses = sum(of, ({ cache_status }) => (cache_status === 'MISS' ? 1 : 0));
  const rescued = sum(of, ({ fell_back, is_success }) => fell_back * is_success);
  const exact: Readonly<Record<string, object>> = {
    requests: { total: of.length },
    errors: { total: sum(of, ({ is_success }) => 1 - is_success) },
    cost: { total: sum(of, ({ cost }) => cost) },
    tokens: {
      input: sum(of, ({ input_tokens }) => input_tokens),
      output: sum(of, ({ output_tokens }) => output_tokens),
      cached: sum(of, ({ cached_tokens }) => cached_tokens),
    },
    latency: isOther ? { max: null } : { max: Math.round(Math.max(0, ...of.map(({ micros }) => micros)) / 10) / 100 },
    'first-byte': {},
    'cache/hit-rate': { hits, misses },
    rescued: { total: rescued },
  };
  expect(figures).toMatchObject(exact[graph] ?? { isUnknown: true });
  const times = {
    latency: of.map(({ micros }) => micros),
    'first-byte': of.flatMap((made) => made.first_micros ?? []),
  };
  if (graph !== 'latency' && graph !== 'first-byte') return;
  for (const [name, share] of Object.entries({ p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 }))
    near(Reflect.get(Object(figures), name), times[graph], share);
};

const drawing = (tenant: string, given: Partial<Drawing> = {}): Drawing => ({
  ...{ tenant, organisation: undefined, min: start, max: start + 5 * hourMs, step: hourMs },
  ...{ filter: new Map(), split: undefined, limit: 100, labels, ...given },
});

// biome-ignore lint/suspicious/noExplicitAny: the figures are what is tested.
const draw = async (store: LogStore, graph: string, of: Drawing): Promise<any> => {
  const drawn = graphs[graph];
  if (drawn === undefined) throw new Error(`There is no graph ${graph}.`);
  return drawGraph(store, drawn, of);
};

describeLogs('hourly sums by one dimension', (log) => {
  it('separate records of one transaction that differ only in their hour or in a label', async () => {
    const { store } = log();
    const workspace = 'alike';
    const at = (hour: number, team: string, micros: number): SampleRecord => ({
      ...{ workspace_id: workspace, id: idAt(start + hour * hourMs), labels: { team }, micros },
    });
    const records = [
      at(0, 'red', 1000),
      at(0, 'blue', 9000),
      at(1, 'blue', 3000),
      at(1, 'blue', 2000),
      at(0, 'red', 4000),
    ];
    await writeRecords(store, records.map(sampleRecord), labels);
    const { splits } = await draw(store, 'requests', drawing(workspace, { split: 'metadata.team' }));
    const totals = splits.map(({ value, summary }: { value: string; summary: object }) => [value, summary]);
    expect(Object.fromEntries(totals)).toMatchObject({ red: { total: 2 }, blue: { total: 3 } });
    const { data_points: points } = await draw(store, 'requests', drawing(workspace));
    expect(points.map(({ total }: { total: number }) => total)).toEqual([3, 2, 0, 0, 0]);
    const hours = await store.db
      .selectFrom('log_hours')
      .select(['requests', 'micros', 'most_micros'])
      .where('workspace_id', '=', workspace)
      .orderBy('hour')
      .execute();
    expect(hours).toEqual([
      { requests: 3, micros: 14_000, most_micros: 9000 },
      { requests: 2, micros: 5000, most_micros: 3000 },
    ]);
  });

  it('match a simple model for every graph and split, however records are divided into transactions', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(record, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
        async (batches) => {
          run += 1;
          const workspace = `w${run}`;
          const { store } = log();
          for (const batch of batches)
            await writeRecords(
              store,
              batch.map((made) => sampleRecord(written(made, workspace))),
              labels,
            );
          const all = batches.flat();
          for (const graph of Object.keys(graphs)) {
            const drawn = await draw(store, graph, drawing(workspace));
            expect(drawn.sampled).toBeUndefined();
            expectFigures(graph, drawn.summary, all, false);
            for (const point of drawn.data_points) {
              const among = all.filter(({ time }) => Math.floor((start + time) / hourMs) * 3600 === point.timestamp);
              expectFigures(graph, point, among, false);
            }
          }
          for (const [split, toValue] of Object.entries(splitBy)) {
            const graph = Object.keys(graphs)[run % Object.keys(graphs).length] ?? '';
            const { splits, sampled } = await draw(store, graph, drawing(workspace, { split }));
            expect(sampled).toBeUndefined();
            const expected = Map.groupBy(all, (made) => shown(toValue(made)));
            const given = splits.map((each: { value: string | null; is_other?: true }) =>
              each.is_other === true ? '"other"' : JSON.stringify(each.value),
            );
            expect(given.toSorted()).toEqual([...expected.keys()].sort());
            for (const [at, each] of splits.entries())
              expectFigures(graph, each.summary, expected.get(given[at]) ?? [], each.is_other === true);
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it('have a limited number of values per dimension and hour: further values share a row, and nothing is lost', async () => {
    const { store } = log();
    const models = Array.from({ length: maxValues + 40 }, (_, at) => `m${at}`);
    for (const batch of [models.slice(0, 60), models.slice(30), models])
      await writeRecords(
        store,
        batch.map((model) => sampleRecord({ workspace_id: 'many', model, id: idAt(start) })),
      );
    const rows = await store.db
      .selectFrom('log_splits')
      .select(['kind', 'requests'])
      .where('workspace_id', '=', 'many')
      .where('dimension', '=', 'model')
      .execute();
    expect(rows).toHaveLength(maxValues + 1);
    const { splits, summary } = await draw(store, 'requests', drawing('many', { split: 'model' }));
    expect(summary.total).toBe(60 + models.length - 30 + models.length);
    expect(splits).toHaveLength(maxValues + 1);
    const shownSum = splits.reduce((all: number, each: { summary: { total: number } }) => all + each.summary.total, 0);
    expect(shownSum).toBe(summary.total);
  });

  it('cover one workspace, or each workspace of one organisation', async () => {
    const { store } = log();
    for (const [workspace_id, organisation_id, count] of [
      ['own', 'acme', 3],
      ['beside', 'acme', 2],
      ['foreign', 'others', 5],
    ] as const)
      await writeRecords(
        store,
        Array.from({ length: count }, () => sampleRecord({ workspace_id, organisation_id, id: idAt(start) })),
      );
    const own = await draw(store, 'requests', drawing('own', { split: 'workspace' }));
    expect(own.splits.map(({ value, summary }: { value: string; summary: object }) => [value, summary])).toEqual([
      ['own', { total: 3 }],
    ]);
    const all = await draw(store, 'requests', drawing('own', { split: 'workspace', organisation: 'acme' }));
    expect(all.summary).toEqual({ total: 5 });
    expect(all.splits.map(({ value }: { value: string }) => value)).toEqual(['own', 'beside']);
  });

  it('that are not stored come from a sample, and are exact or report the share of the records that were read', async () => {
    const { store } = log();
    // Numbers increase with time: a record that is written late gets the number of a later time.
    const later = start + 10 * dayMs;
    const many = (count: number, hour: number) =>
      Array.from({ length: count }, (_, at) =>
        sampleRecord({
          ...{ workspace_id: 'sampled', id: idAt(later + hour * hourMs + at), micros: 5000 },
          ...{ provider: at % 2 === 0 ? 'even' : 'odd', labels: { colour: at % 4 === 0 ? 'red' : 'blue' } },
        }),
      );
    await writeRecords(store, many(200, 0));
    const span = { min: later, max: later + 5 * hourMs };
    const both = drawing('sampled', {
      ...span,
      filter: new Map([['provider', 'even']]),
      split: `${labelPrefix}colour`,
    });
    const exact = await draw(store, 'requests', both);
    expect(exact).not.toHaveProperty('sampled');
    expect(exact.summary).toEqual({ total: 100 });
    expect(exact.splits.map(({ value, summary }: { value: string; summary: object }) => [value, summary])).toEqual(
      expect.arrayContaining([
        ['red', { total: 50 }],
        ['blue', { total: 50 }],
      ]),
    );
    // More records of one moment than are read of it.
    await writeRecords(store, many(2000, 3));
    const sampled = await draw(store, 'requests', both);
    expect(sampled).toMatchObject({ sampled: true, share: expect.closeTo(600 / 2200, 3), summary: { total: 1100 } });
    const latency = await draw(store, 'latency', both);
    expect(latency.summary.p95).toBeCloseTo(5, 0);
    const minutes = await draw(store, 'requests', drawing('sampled', { ...span, step: 60_000, max: later + hourMs }));
    expect(minutes).toMatchObject({ summary: { total: 200 }, step: 60 });
    expect(minutes.data_points).toHaveLength(60);
  });

  it('lack requests that an earlier version counted, but graphs include them', async () => {
    const { store } = log();
    const at = (hour: number) => sampleRecord({ workspace_id: 'upgraded', id: idAt(start + hour * hourMs) });
    await writeRecords(store, [at(0), at(1)]);
    await store.write((writing) => writing.deleteFrom('log_splits').where('workspace_id', '=', 'upgraded').execute());
    await writeRecords(store, [at(1), at(2)]);
    expect((await draw(store, 'requests', drawing('upgraded'))).summary).toEqual({ total: 4 });
    const tokens = await draw(store, 'tokens', drawing('upgraded'));
    expect(tokens.summary.input).toBe(12);
    expect(tokens.splits_from).toBe(start / 1000 + 3600);
  });

  it('are deleted with their hours', async () => {
    const { store } = log();
    await writeRecords(store, [sampleRecord({ workspace_id: 'old', id: idAt(start) })]);
    const kept = { days: 1, bytes: Number.MAX_SAFE_INTEGER };
    await enforceRetention({ store, kept, now: start + 402 * dayMs, pause: async () => true });
    const rows = await store.db
      .selectFrom('log_splits')
      .select('hour')
      .where('hour', '<', start + hourMs)
      .execute();
    expect(rows).toEqual([]);
  });
});
