/**
 * `npm run bench:logs -- [RECORDS]`: writes records of requests (a million by default), and prints how long queries of the log
 * take, on an SQLite file and, if installed, on PostgreSQL.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Drawing, drawGraph } from '../../../plugins/control/logs/analytics/draw-graph.ts';
import { graphs } from '../../../plugins/control/logs/analytics/graphs.ts';
import { readFilter } from '../../../plugins/control/logs/records/record-filters.ts';
import { listRecords } from '../../../plugins/control/logs/records/record-store.ts';
import type { LogStore } from '../../../plugins/control/logs/writer/log-store.ts';
import { openLogStore, toLogFile } from '../../../plugins/control/logs/writer/open-log-store.ts';
import { dayMs, hourMs } from '../../../schema/durations.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { fillLog } from './log-records.ts';

const records = Number(process.argv[2] ?? 1_000_000);
const start = Date.UTC(2026, 0, 1);
/** Milliseconds between two records. */
const step = 1000;
const workspaces = 10;
const repeats = 7;
/** The labels for which hourly sums are kept. */
const labels = ['team'];

const print = (line: string): void => void process.stdout.write(`${line}\n`);

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
  await fillLog(store, {
    ...{ records, start, step, labels, organisation: 'organisation' },
    workspaces: Array.from({ length: workspaces }, (_, at) => `workspace-${at}`),
  });
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
