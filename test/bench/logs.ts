/**
 * Writes records of requests, and prints how long the queries of the log take: `npm run bench:logs -- [RECORDS]`, a
 * million if nothing is said. On a file of SQLite and, where it is installed, on PostgreSQL.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Drawing, drawGraph } from '../../plugins/control/logs/analytics/draw-graph.ts';
import { graphs } from '../../plugins/control/logs/analytics/graphs.ts';
import type { NewRecord } from '../../plugins/control/logs/recording/to-record.ts';
import { readFilter } from '../../plugins/control/logs/records/record-filters.ts';
import { listRecords } from '../../plugins/control/logs/records/record-store.ts';
import type { LogStore } from '../../plugins/control/logs/store/log-store.ts';
import { openLogStore, toLogFile } from '../../plugins/control/logs/store/open-log-store.ts';
import { toFirstId } from '../../plugins/control/logs/store/stored-id.ts';
import { writeRecords } from '../../plugins/control/logs/writer/write-records.ts';
import { dayMs, hourMs } from '../../schema/durations.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { postgresFolder, startPostgres } from '../support/postgres-server.ts';

const records = Number(process.argv[2] ?? 1_000_000);
const start = Date.UTC(2026, 0, 1);
/** Between two records, in milliseconds. */
const step = 1000;
const atOnce = 2000;
const workspaces = 10;
const repeats = 7;
/** Those that hours are summed up by. */
const labels = ['team'];

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const text = (name: string, at: number, kinds: number): string =>
  `${name}-${(Math.floor(at / workspaces) * 7919) % kinds}`;

const toStatus = (at: number): number => (at % 97 === 0 ? 500 : at % 31 === 0 ? 429 : 200);

const toDetail = (at: number, path: string): string =>
  JSON.stringify({
    ...{
      seed: at * 7919,
      metadata: {},
      targets: { [path]: { id: 'fast', provider: 'openai', slug: 'main' } },
      checks: [],
    },
    trail: [
      { kind: 'chose', path: '', branch: at % 3 },
      ['attempted', path, 'fast', 1, 200, 'upstream', at % 97, at % 99_991],
      ['settled', path, 'fast', 1, ['reported', 'm', null, at % 701, at % 89], ['stop'], at % 99_991],
    ],
  });

const recordAt = (at: number): NewRecord => {
  const time = start + at * step;
  const id = `${toFirstId(time).slice(0, -12)}${at.toString(16).padStart(12, '0')}`;
  const workspace_id = `workspace-${at % workspaces}`;
  const status = toStatus(Math.floor(at / workspaces));
  return {
    record: {
      ...{ id, workspace_id, organisation_id: 'organisation', created_at: time },
      ...{ trace_id: `trace-${Math.floor(at / 20)}`, key_id: text('key', at, 500), config: 'app', plan: 'app@1' },
      ...{ method: 'POST', path: '/v1/chat/completions', operation: 'converse', leaf: '', prompt: null },
      ...{ target: 'fast', provider: 'openai', slug: 'main', requested_model: 'm', model: text('model', at, 40) },
      ...{ status, cause: null, ending: 'complete', is_success: status < 400 ? 1 : 0, micros: at % 5_000_000 },
      ...{ attempts: 1, retries: 0, fell_back: 0, balanced: 0, input_tokens: 100, output_tokens: at % 700 },
      ...{ cost: at % 9999, cache_status: 'DISABLED', source: 'gateway', has_problem: 0, bytes: 200 },
      metadata: JSON.stringify({ team: text('team', at, 1000) }),
    },
    detail: { id, workspace_id, detail: toDetail(at, `config.targets[${at % 3}]`), bodies: null },
  };
};

const fill = async (store: LogStore): Promise<void> => {
  for (let from = 0; from < records; from += atOnce) {
    const count = Math.min(atOnce, records - from);
    await writeRecords(
      store,
      Array.from({ length: count }, (_, at) => recordAt(from + at)),
      labels,
    );
  }
};

const last = start + records * step;
const middle = (start + last) / 2 / 1000;

const queries: Readonly<Record<string, JsonObject>> = {
  'the newest': {},
  'a label': { 'metadata.team': 'team-7' },
  'a label that nobody has': { 'metadata.team': 'nobody' },
  'a key': { key_id: 'key-7' },
  'a model': { model: 'model-7' },
  'a status': { status: 500 },
  'a trace': { trace_id: `trace-${Math.floor(records / 40)}` },
  'an hour': { time_min: middle, time_max: middle + 3600 },
  'a label and a model': { 'metadata.team': 'team-7', model: 'model-7' },
  'a key and a status in half of the time': { key_id: 'key-7', status: 429, time_max: middle },
};

const findMedian = async (
  run: () => Promise<unknown>,
): Promise<{ readonly first: number; readonly median: number }> => {
  const times: number[] = [];
  for (let at = 0; at < repeats; at += 1) {
    const before = performance.now();
    await run();
    times.push(performance.now() - before);
  }
  return { first: times[0] ?? 0, median: times.toSorted((a, b) => a - b)[Math.floor(repeats / 2)] ?? 0 };
};

const shown = (ms: number): string => ms.toFixed(1).padStart(9);

const measure = async (name: string, store: LogStore): Promise<void> => {
  const before = performance.now();
  await fill(store);
  print(`${name}: ${records} records in ${Math.round((performance.now() - before) / 1000)} s`);
  print(`${'first ms'.padStart(10)}${'median ms'.padStart(10)}  found  100 records of a workspace, by`);
  for (const [what, query] of Object.entries(queries)) {
    const ask = () => listRecords(store, { tenant: 'workspace-7', filter: readFilter(query), limit: 100 });
    const { first, median } = await findMedian(ask);
    print(`${shown(first)} ${shown(median)}  ${String((await ask()).length).padStart(5)}  ${what}`);
  }
  const drawing: Drawing = {
    ...{ tenant: 'workspace-7', organisation: undefined, min: start, max: last + 1, step: dayMs, filter: new Map() },
    ...{ split: undefined, limit: 10, labels },
  };
  const drawn: readonly (readonly [string, Partial<Drawing>])[] = [
    ['of all the time', {}],
    ['by hours', { step: hourMs }],
    ['split by model', { split: 'model' }],
    ['split by key, by hours', { split: 'key_id', step: hourMs }],
    ['split by a label', { split: 'metadata.team' }],
    ['of a sample: one provider, split by model', { filter: new Map([['provider', 'openai']]), split: 'model' }],
    ['of a sample: the minutes of the last day', { min: last - dayMs, step: 60_000 }],
  ];
  for (const [name, graph] of Object.entries(graphs))
    for (const [what, changes] of drawn) {
      const { first, median } = await findMedian(() => drawGraph(store, graph, { ...drawing, ...changes }));
      print(`${shown(first)} ${shown(median)}         the graph ${name}, ${what}`);
    }
};

const folder = mkdtempSync(path.join(tmpdir(), 'gw-bench-'));
const file = path.join(folder, 'gateway.db');
const log = await openLogStore(file);
try {
  await measure('SQLite', log);
} finally {
  await log.close();
  print(`${Math.round(statSync(toLogFile(file)).size / 1024 / 1024)} MB`);
  rmSync(folder, { recursive: true, force: true });
}

const programs = postgresFolder();
if (programs !== undefined) {
  const postgres = await startPostgres(programs);
  const store = await openLogStore(`${postgres.url}?statement_timeout=0`);
  try {
    await measure('PostgreSQL', store);
  } finally {
    await store.close();
    await postgres.stop();
  }
}
