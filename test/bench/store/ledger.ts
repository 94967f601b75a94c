/**
 * `npm run bench:ledger`: how long reports on a large ledger take, on SQLite and, if installed, on PostgreSQL. SQL creates the
 * rows and their sums. `--rows=1000000 --users=1000 --days=30 --rounds=5`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { openStore } from '../../../plugins/control/kernel/store/open/open-store.ts';
import type { Store } from '../../../plugins/control/kernel/store/store.ts';
import { summedColumns } from '../../../plugins/control/metering/ledger/ledger-columns.ts';
import { type UsageQuery, usageGroups } from '../../../plugins/control/metering/ledger/usage-store.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { median } from '../harness/measure.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    users: { type: 'string', default: '1000' },
    days: { type: 'string', default: '30' },
    rounds: { type: 'string', default: '5' },
  },
});
const [rows, users, days, rounds] = [values.rows, values.users, values.days, values.rounds].map(Number);
if (rows === undefined || users === undefined || days === undefined || rounds === undefined) throw new TypeError();

const day = 86_400_000;
const from = Date.UTC(2026, 0, 1);
const span = days * day;

const lit = (value: number) => sql.lit(value);

/** Inserts one attempt per row, of users who each have one key and one team, and use four models. */
const fillLedger = (store: Store): Promise<unknown> =>
  store.write((writing) =>
    sql`insert into ledger_before
      with recursive n(i) as (select cast(0 as bigint) union all select i + 1 from n where i < ${lit(rows - 1)})
      select 'attempt-' || i, ${lit(from)} + i * ${lit(Math.floor(span / rows))}, '', 'acme', 'shop',
        'key-' || (i * 7919 % ${lit(users)} % 10), 'prod', null, 'openai', null, 'model-' || (i / ${lit(users)} % 4), 'model-' || (i / ${lit(users)} % 4),
        'reported', null, 1, 1, 1000 + i % 100, 100, 0, 0, 50 + i % 10, 0, 1500 + i % 1000, 'genai-prices',
        '{"_user":"user-' || (i * 7919 % ${lit(users)}) || '","team":"team-' || (i * 7919 % ${lit(users)} % 20) || '"}',
        null
      from n`.execute(writing),
  );

const sums = summedColumns.map((column) => {
  if (column === 'unpriced' || column === 'partial' || column === 'estimated' || column === 'none') return sql`0`;
  return column === 'reported' ? sql`sum(attempts)` : sql`sum(${sql.ref(column)})`;
});

const fillHours = (store: Store): Promise<unknown> =>
  store.write((writing) =>
    sql`insert into usage_hours
      select key_id || model || (at / 3600000), at / 3600000 * 3600000, organisation_id, workspace_id, key_id, provider,
        model, config, ${sql.join(sums)}
      from ledger group by at / 3600000, organisation_id, workspace_id, key_id, provider, model, config`.execute(
      writing,
    ),
  );

const fillLabels = (store: Store, name: string): Promise<unknown> => {
  const path = sql.lit(`$.${name}`);
  const value =
    store.kind === 'sqlite' ? sql`json_extract(metadata, ${path})` : sql`metadata::jsonb ->> ${sql.lit(name)}`;
  return store.write((writing) =>
    sql`insert into usage_labels
      select ${sql.lit(name)} || label || key_id || model || d, d * ${lit(day)}, organisation_id, workspace_id,
        ${sql.lit(name)}, label, 0, key_id, provider, model, config, ${sql.join(sums)}
      from (select ledger.*, at / ${lit(day)} as d, ${value} as label from ledger) as labelled
      group by d, label, organisation_id, workspace_id, key_id, provider, model, config`.execute(writing),
  );
};

const all: UsageQuery = {
  ...{ organisation: 'acme', workspace: 'shop', from, to: from + span, by: [], only: {}, limit: 100, offset: 0 },
};

const reports: Readonly<Record<string, UsageQuery>> = {
  'metadata._user': { ...all, byLabel: '_user' },
  'metadata.team, day': { ...all, byLabel: 'team', by: ['day'] },
  'metadata.team of a model': { ...all, byLabel: 'team', only: { model: 'model-1' } },
  'model of a user': { ...all, by: ['model'], onlyLabel: { name: '_user', value: 'user-7' } },
  model: { ...all, by: ['model'] },
  day: { ...all, by: ['day'] },
  'key, model, day': { ...all, by: ['key', 'model', 'day'] },
  'hour of one day': { ...all, by: ['hour'], from: from + 3 * day, to: from + 4 * day },
  'model, organisation': { ...all, workspace: undefined, by: ['model'] },
};

const milliseconds = async (run: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await run();
  return performance.now() - start;
};

const measure = async (store: Store): Promise<void> => {
  for (const fill of [fillLedger, fillHours]) await fill(store);
  for (const name of ['_user', 'team']) await fillLabels(store, name);
  await store.write((writing) => sql`analyze`.execute(writing));
  const count = async (table: 'ledger' | 'usage_hours' | 'usage_labels'): Promise<number> => {
    const counted = store.db.selectFrom(table).select((db) => db.fn.countAll<number>().as('count'));
    return (await counted.executeTakeFirstOrThrow()).count;
  };
  const [attempts, hours, labels] = [await count('ledger'), await count('usage_hours'), await count('usage_labels')];
  process.stdout.write(`\n${store.kind}: ${attempts} attempts, ${hours} rows by hour, ${labels} by label\n`);
  for (const [name, query] of Object.entries(reports)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await milliseconds(() => usageGroups(store.db, query)));
    process.stdout.write(`  ${name.padEnd(26)} ${median(times).toFixed(0).padStart(6)} ms\n`);
  }
};

const folder = mkdtempSync(path.join(tmpdir(), 'gw-bench-'));
const timeouts = { statement: 600_000 };
try {
  const store = await openStore({ url: path.join(folder, 'gateway.db') });
  await measure(store);
  await store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const programs = postgresFolder();
if (programs !== undefined) {
  const server = await startPostgres(programs);
  try {
    const store = await openStore({ url: server.url, timeouts });
    await measure(store);
    await store.close();
  } finally {
    await server.stop();
  }
}
