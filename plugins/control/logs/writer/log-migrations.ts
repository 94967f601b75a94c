import { type Kysely, type RawBuilder, sql } from 'kysely';
import { createTables, type Migration } from '../../kernel/store/migrations/migrate.ts';
import type { LogStore, LogTables } from './log-store.ts';

type Kind = LogStore['kind'];

const dataTypes: { readonly [kind in Kind]: { readonly [type: string]: RawBuilder<unknown> } } = {
  sqlite: { text: sql`text`, integer: sql`integer`, bytes: sql`blob` },
  postgres: { text: sql`text collate "C"`, integer: sql`bigint`, bytes: sql`bytea` },
};

interface Shape {
  readonly columns: { readonly [name: string]: 'text' | 'integer' | 'bytes' | 'text?' | 'integer?' };
  readonly key: readonly string[];
  readonly isClustered?: true;
}

const shapes: { readonly [table: string]: Shape } = {
  log_rows: {
    columns: {
      ...{ number: 'integer', id: 'bytes', facts: 'integer', labels: 'integer?', trace: 'bytes', trace_key: 'integer' },
      ...{ micros: 'integer', input_tokens: 'integer', output_tokens: 'integer', cost: 'integer' },
      ...{ block: 'integer', place: 'integer' },
    },
    key: ['number'],
  },
  log_moved: { columns: { id: 'bytes', number: 'integer' }, key: ['id'], isClustered: true },
  log_facts: {
    columns: {
      ...{ number: 'integer', digest: 'text', workspace_id: 'text', organisation_id: 'text', key_id: 'text?' },
      ...{ config: 'text?', plan: 'text?', method: 'text', path: 'text', operation: 'text', leaf: 'text?' },
      ...{ prompt: 'text?', target: 'text?', provider: 'text?', slug: 'text?', requested_model: 'text?' },
      ...{ model: 'text?', status: 'integer', cause: 'text?', ending: 'text', is_success: 'integer' },
      ...{ attempts: 'integer', retries: 'integer', fell_back: 'integer', balanced: 'integer' },
      ...{ cache_status: 'text?', source: 'text', has_problem: 'integer' },
    },
    key: ['number'],
  },
  log_label_sets: {
    columns: { number: 'integer', digest: 'text', workspace_id: 'text', metadata: 'text' },
    key: ['number'],
  },
  log_label_pairs: { columns: { pair: 'integer', labels: 'integer' }, key: ['pair', 'labels'], isClustered: true },
  log_blocks: {
    columns: { number: 'integer', data: 'bytes', places: 'integer', remaining: 'integer', bytes: 'integer' },
    key: ['number'],
  },
  log_bodies: { columns: { number: 'integer', bodies: 'text' }, key: ['number'] },
};

const splits: Shape = {
  columns: {
    ...{ workspace_id: 'text', hour: 'integer', dimension: 'text', kind: 'integer', value: 'text' },
    ...{ organisation_id: 'text', requests: 'integer', errors: 'integer', micros: 'integer', most_micros: 'integer' },
    ...{ input_tokens: 'integer', cached_tokens: 'integer', output_tokens: 'integer', cost: 'integer' },
    ...{ cache_hits: 'integer', cache_misses: 'integer', rescued: 'integer', durations: 'bytes', firsts: 'bytes' },
  },
  key: ['workspace_id', 'dimension', 'hour', 'kind', 'value'],
  isClustered: true,
};

const createTable = async (db: Kysely<LogTables>, kind: Kind, name: string, shape: Shape): Promise<void> => {
  const columns = Object.entries(shape.columns).map(([column, type]) => {
    const required = type.endsWith('?') ? sql`` : sql` not null`;
    return sql`${sql.ref(column)} ${dataTypes[kind][type.replace('?', '')]}${required}`;
  });
  const key = sql.join(shape.key.map((column) => sql.ref(column)));
  const end = kind === 'sqlite' && shape.isClustered === true ? sql` without rowid` : sql``;
  await sql`create table ${sql.table(name)} (${sql.join(columns)}, primary key (${key}))${end}`.execute(db);
};

const uuid = (kind: Kind, bytes: RawBuilder<unknown>): RawBuilder<unknown> => {
  if (kind === 'postgres') return sql`cast(cast(encode(${bytes}, 'hex') as uuid) as text) collate "C"`;
  const part = (from: number, length: number) => sql`substr(hex(${bytes}), ${sql.lit(from)}, ${sql.lit(length)})`;
  const parts = [part(1, 8), part(9, 4), part(13, 4), part(17, 4), part(21, 12)];
  return sql`lower(${sql.join(parts, sql` || '-' || `)})`;
};

/** The text as `stored-id.ts` writes it. */
const traceText: { readonly [kind in Kind]: RawBuilder<unknown> } = {
  sqlite: sql`case substr(line.trace, 1, 1) when x'01' then lower(hex(substr(line.trace, 2)))
    when x'02' then ${uuid('sqlite', sql`substr(line.trace, 2)`)} else cast(substr(line.trace, 2) as text) end`,
  postgres: sql`case get_byte(line.trace, 0) when 1 then encode(substring(line.trace from 2), 'hex')
    when 2 then ${uuid('postgres', sql`substring(line.trace from 2)`)}
    else convert_from(substring(line.trace from 2), 'UTF8') end`,
};

const createViews = async (db: Kysely<LogTables>, kind: Kind): Promise<void> => {
  const { number: _number, digest: _digest, ...columns } = shapes.log_facts?.columns ?? {};
  const facts = sql.join(Object.keys(columns).map((column) => sql.ref(`facts.${column}`)));
  const id = uuid(kind, sql`line.id`);
  await sql`create view log_records as
    select line.number, line.block, line.place, ${id} as id, line.number >> 10 as created_at, ${traceText[kind]} as trace_id,
      ${facts}, line.micros, line.input_tokens, line.output_tokens, line.cost, coalesce(labels.metadata, '{}') as metadata
    from log_rows as line join log_facts as facts on facts.number = line.facts
      left join log_label_sets as labels on labels.number = line.labels`.execute(db);
  const each = {
    sqlite: sql`json_each(labels.metadata) as label`,
    postgres: sql`lateral json_each_text(cast(labels.metadata as json)) as label`,
  };
  await sql`create view log_labels as
    select labels.workspace_id, label.key as name, label.value as value, ${id} as id
    from log_rows as line join log_label_sets as labels on labels.number = line.labels cross join ${each[kind]}`.execute(
    db,
  );
};

/** The table that records which migrations a log has been through. */
export const logMigrationsTable = 'log_migrations';

/** All migrations of the log, in order. They are separate from those of the store, even in a database that has both. */
export const logMigrations: readonly Migration<LogTables>[] = [
  {
    number: 1,
    name: 'records',
    up: (db, kind) =>
      createTables(db, kind, {
        // Each index ends with the id, because records are listed in its order.
        log_records: {
          columns: {
            ...{ workspace_id: 'text', id: 'text', organisation_id: 'text', created_at: 'integer', trace_id: 'text' },
            ...{ key_id: 'text?', config: 'text?', plan: 'text?', method: 'text', path: 'text', operation: 'text' },
            ...{ leaf: 'text?', prompt: 'text?', target: 'text?', provider: 'text?', slug: 'text?' },
            ...{ requested_model: 'text?', model: 'text?', status: 'integer', cause: 'text?', ending: 'text' },
            ...{
              is_success: 'integer',
              micros: 'integer',
              attempts: 'integer',
              retries: 'integer',
              fell_back: 'integer',
            },
            ...{ balanced: 'integer', input_tokens: 'integer', output_tokens: 'integer', cost: 'integer' },
            ...{ cache_status: 'text?', source: 'text', metadata: 'text', bytes: 'integer' },
          },
          key: ['workspace_id', 'id'],
          indexes: ['trace_id', 'key_id', 'model', 'status'].map((column) => ['workspace_id', column, 'id']),
          isClustered: true,
        },
        log_details: { columns: { id: 'text', workspace_id: 'text', detail: 'text', bodies: 'text?' } },
        log_labels: {
          columns: { workspace_id: 'text', name: 'text', value: 'text', id: 'text' },
          key: ['workspace_id', 'name', 'value', 'id'],
          isClustered: true,
        },
        log_hours: {
          columns: {
            ...{ workspace_id: 'text', hour: 'integer', key_id: 'text', config: 'text', prompt: 'text' },
            ...{ provider: 'text', model: 'text', status: 'integer', requests: 'integer', errors: 'integer' },
            ...{ micros: 'integer', most_micros: 'integer', input_tokens: 'integer', output_tokens: 'integer' },
            ...{ cost: 'integer', cache_hits: 'integer', cache_misses: 'integer' },
          },
          key: ['workspace_id', 'hour', 'key_id', 'config', 'prompt', 'provider', 'model', 'status'],
          indexes: [['hour']],
          isClustered: true,
        },
        log_feedback: {
          columns: {
            ...{ id: 'text', workspace_id: 'text', trace_id: 'text', value: 'integer', weight: 'integer' },
            ...{ metadata: 'text', key_id: 'text?', created_at: 'integer', updated_at: 'integer' },
          },
          indexes: [['workspace_id', 'trace_id'], ['created_at']],
        },
        log_totals: { columns: { name: 'text', value: 'integer' }, key: ['name'] },
      }),
  },
  {
    // A record is a short row of integers. Values that many records share are stored once, and the rest is compressed in blocks.
    number: 2,
    name: 'short-records',
    async up(db, kind) {
      // Records in the tables of an earlier version stay there until they are converted, step by step.
      for (const name of ['log_records', 'log_details', 'log_labels'])
        await sql`alter table ${sql.table(name)} rename to ${sql.table(`${name}_before`)}`.execute(db);
      for (const [name, shape] of Object.entries(shapes)) await createTable(db, kind, name, shape);
      // Each index of `log_rows` ends with the number, because records are listed in its order. SQLite includes it in every
      // index.
      const last = kind === 'postgres' ? sql`, number` : sql``;
      for (const index of [
        sql`index log_rows_by_facts on log_rows (facts${last})`,
        sql`index log_rows_by_labels on log_rows (labels${last}) where labels is not null`,
        sql`index log_rows_by_trace on log_rows (trace_key${last})`,
        sql`index log_moved_by_number on log_moved (number)`,
        sql`unique index log_facts_by_digest on log_facts (digest)`,
        sql`index log_facts_by_workspace on log_facts (workspace_id)`,
        sql`unique index log_label_sets_by_digest on log_label_sets (digest)`,
      ])
        await sql`create ${index}`.execute(db);
      await createViews(db, kind);
    },
  },
  {
    // The two arms of each request that a mirror copied, which are compared by their feedback, too.
    number: 3,
    name: 'arms',
    up: (db, kind) =>
      createTables(db, kind, {
        log_arms: {
          columns: {
            ...{ id: 'text', workspace_id: 'text', created_at: 'integer', config: 'text', path: 'text', arm: 'text' },
            ...{ target: 'text', provider: 'text', model: 'text', trace_id: 'text', status: 'integer' },
            ...{ micros: 'integer', cost: 'integer?', verdict: 'text?' },
          },
          indexes: [['workspace_id', 'created_at'], ['workspace_id', 'trace_id'], ['created_at']],
        },
      }),
  },
  {
    // Blocks are in the order in which records were written, and these numbers lead to the rows of a block.
    number: 4,
    name: 'block-ranges',
    async up(db, kind) {
      for (const column of ['first_record', 'last_record'])
        await sql`alter table log_blocks add column ${sql.ref(column)} ${dataTypes[kind].integer}`.execute(db);
    },
  },
  {
    // Hourly sums by one dimension at a time, with durations of requests.
    number: 5,
    name: 'splits',
    async up(db, kind) {
      await createTable(db, kind, 'log_splits', splits);
      await sql`create index log_splits_by_hour on log_splits (hour)`.execute(db);
      await sql`create index log_splits_by_organisation on log_splits (organisation_id, dimension, hour)`.execute(db);
    },
  },
];
