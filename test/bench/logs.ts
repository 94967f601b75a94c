/**
 * Makes records of requests by SQL, and prints how long the queries of the log take: `npm run bench:logs -- [RECORDS]`, a
 * million if nothing is said. On a file of SQLite and, where it is installed, on PostgreSQL.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import { sumHours } from '../../plugins/control/logs/analytics/analytics-store.ts';
import { readFilter } from '../../plugins/control/logs/records/record-filters.ts';
import { listRecords } from '../../plugins/control/logs/records/record-store.ts';
import type { LogStore } from '../../plugins/control/logs/store/log-store.ts';
import { logFileOf, openLogStore } from '../../plugins/control/logs/store/open-log-store.ts';
import type { JsonObject } from '../../schema/json.ts';
import { postgresFolder, startPostgres } from '../support/postgres-server.ts';

const records = Number(process.argv[2] ?? 1_000_000);
const start = Date.UTC(2026, 0, 1);
/** Between two records, in milliseconds. */
const step = 1000;
const atOnce = 20_000;
const repeats = 7;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** What differs between the databases: numbers from 0, digits in base 16, and a series. */
const dialects = {
  sqlite: {
    series: (from: number, to: number) =>
      sql`(with recursive counted(n) as (select ${sql.lit(from)} union all select n + 1 from counted where n < ${sql.lit(to)}) select n from counted) as series`,
    id: sql`printf('%08x-%04x-7000-8000-%012x', (${sql.lit(start)} + n * ${sql.lit(step)}) >> 16, (${sql.lit(start)} + n * ${sql.lit(step)}) & 65535, n)`,
    trace: sql`printf('trace-%d', n / 20)`,
    detail: sql`printf('{"trail":"%.900c"}', 'x')`,
  },
  postgres: {
    series: (from: number, to: number) =>
      sql`generate_series(${sql.lit(from)}::bigint, ${sql.lit(to)}::bigint) as series(n)`,
    id: sql`lpad(to_hex((${sql.lit(start)} + n * ${sql.lit(step)}) >> 16), 8, '0') || '-' || lpad(to_hex((${sql.lit(start)} + n * ${sql.lit(step)}) & 65535), 4, '0') || '-7000-8000-' || lpad(to_hex(n), 12, '0')`,
    trace: sql`'trace-' || (n / 20)`,
    detail: sql`'{"trail":"' || repeat('x', 900) || '"}'`,
  },
} as const;

const text = (name: string, kinds: number) => sql`${sql.lit(`${name}-`)} || (n / 10 * 7919 % ${sql.lit(kinds)})`;

const fill = async ({ kind, write }: LogStore): Promise<void> => {
  const { series, id, trace, detail } = dialects[kind];
  for (let from = 0; from < records; from += atOnce) {
    const rows = series(from, Math.min(records, from + atOnce) - 1);
    const workspace = sql`${sql.lit('workspace-')} || (n % 10)`;
    const team = text('team', 1000);
    await write(async (writing) => {
      const run = (statement: ReturnType<typeof sql>) => statement.execute(writing as unknown as Kysely<unknown>);
      await run(sql`insert into log_records (workspace_id, id, organisation_id, created_at, trace_id, key_id, config, plan,
        method, path, operation, leaf, prompt, target, provider, slug, requested_model, model, status, cause, ending, is_success,
        micros, attempts, retries, fell_back, balanced, input_tokens, output_tokens, cost, cache_status, source, metadata, bytes)
        select ${workspace}, ${id}, 'organisation', ${sql.lit(start)} + n * ${sql.lit(step)}, ${trace}, ${text('key', 500)}, 'app',
        'app@1', 'POST', '/v1/chat/completions', 'converse', '', null, 'fast', 'openai', 'main', 'm', ${text('model', 40)},
        case when n / 10 % 97 = 0 then 500 when n / 10 % 31 = 0 then 429 else 200 end, null, 'complete', 1, n % 5000000, 1, 0, 0, 0, 100,
        n % 700, n % 9999, 'DISABLED', 'gateway', '{"team":"' || ${team} || '"}', 2200 from ${rows}`);
      await run(
        sql`insert into log_details (id, workspace_id, detail, bodies) select ${id}, ${workspace}, ${detail}, null from ${rows}`,
      );
      await run(
        sql`insert into log_labels (workspace_id, name, value, id) select ${workspace}, 'team', ${team}, ${id} from ${rows}`,
      );
    });
  }
  await write(async (writing) => {
    await sql`insert into log_hours (workspace_id, hour, key_id, config, prompt, provider, model, status, requests, errors,
      micros, most_micros, input_tokens, output_tokens, cost, cache_hits, cache_misses)
      select workspace_id, created_at - created_at % 3600000, '', config, '', provider, model, status, count(*), 0, sum(micros),
      max(micros), sum(input_tokens), sum(output_tokens), sum(cost), 0, 0 from log_records
      group by workspace_id, created_at - created_at % 3600000, config, provider, model, status`.execute(writing);
  });
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

const medianOf = async (run: () => Promise<unknown>): Promise<{ readonly first: number; readonly median: number }> => {
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
    const { first, median } = await medianOf(ask);
    print(`${shown(first)} ${shown(median)}  ${String((await ask()).length).padStart(5)}  ${what}`);
  }
  const range = { tenant: 'workspace-7', min: start, max: last, filter: {} };
  const { first, median } = await medianOf(() => sumHours(store, range));
  print(`${shown(first)} ${shown(median)}         the hours of all the time`);
};

const folder = mkdtempSync(path.join(tmpdir(), 'gw-bench-'));
const file = path.join(folder, 'gateway.db');
const log = await openLogStore(file);
try {
  await measure('SQLite', log);
} finally {
  await log.close();
  print(`${Math.round(statSync(logFileOf(file)).size / 1024 / 1024)} MB`);
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
