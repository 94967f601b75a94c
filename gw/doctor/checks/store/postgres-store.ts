import type { Client } from 'pg';
import { newerStore } from '../../../../plugins/control/kernel/store/migrations/migrate.ts';
import { migrations } from '../../../../plugins/control/kernel/store/migrations/migrations.ts';
import {
  type ConnectReason,
  connectReasons,
  encodingReason,
  schemaReason,
} from '../../../../plugins/control/kernel/store/postgres/connect-reasons.ts';
import { clientConfig, findConnectReason, importPg } from '../../../../plugins/control/kernel/store/postgres/pool.ts';
import { logMigrations, logMigrationsTable } from '../../../../plugins/control/logs/writer/log-migrations.ts';
import { errorCode } from '../../../../schema/text/error-code.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { clockRemedy, describeDifference, isOff } from '../../set-up/clock-difference.ts';
import type { Finding } from '../../set-up/finding.ts';
import { isSentence, storeFailure } from './find-store.ts';
import { logTables, storeTables } from './needed-tables.ts';
import { policiesQuery, toSavedPolicy } from './policy-labels.ts';
import { type SealedRows, type SealedTable, sealedQueries } from './sealed-secrets.ts';
import type { StoreLook } from './sqlite-store.ts';

/** The oldest major version that the PostgreSQL project still supports. */
const oldest = 14;

const connectFinding = (error: unknown, where: string): Finding => {
  const known = findConnectReason(error);
  if (known !== undefined) return { severity: 'error', subject: where, ...known };
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return {
    severity: 'error',
    subject: where,
    what: `PostgreSQL cannot be reached (${errorCode(first) ?? errorText(first)}).`,
    remedy: 'Start it, or correct the host and the port in the URL of the store.',
  };
};

/** Checks the version of a server, `server_version_num`. */
export const versionFindings = (version: number, where: string): readonly Finding[] => {
  const major = Math.floor(version / 10_000);
  if (major >= oldest) return [];
  return [
    {
      severity: 'warning',
      subject: where,
      what: `The server is PostgreSQL ${major}, which is no longer supported.`,
      remedy: `Upgrade it to ${oldest} or newer.`,
    },
  ];
};

/** Compares the clock of this machine with that of a server, in milliseconds since the epoch. */
export const clockFindings = (ownMs: number, serverMs: number, where: string): readonly Finding[] => {
  const ms = ownMs - serverMs;
  if (!isOff(ms)) return [];
  return [
    {
      severity: 'warning',
      subject: where,
      what: `The clock of this machine is ${describeDifference(ms)} that of the server: gateways that share the store may disagree on when keys and limits end.`,
      remedy: clockRemedy,
    },
  ];
};

const facts = `select current_setting('server_version_num')::int as version,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as clock_ms,
  pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool as is_read_only,
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
  current_schema() is not null as has_schema,
  current_setting('server_encoding') as encoding,
  to_regclass('migrations') is not null as has_migrations,
  to_regclass('${logMigrationsTable}') is not null as has_log,
  to_regclass('canary') is not null as has_canary,
  to_regclass('policies') is not null as has_policies`;

/** How many of some tables are missing, and how many the user may not read and write. */
const tableFacts = `select (count(*) filter (where found is null))::int as missing,
  (count(*) filter (where exists (select from unnest('{select,insert,update,delete}'::text[]) as privilege
    where not has_table_privilege(found::oid, privilege))))::int as unwritable
  from (select to_regclass(name) as found from unnest($1::text[]) as name) as tables`;

const noCreateRight: ConnectReason = {
  what: 'The user may not make tables in its schema.',
  remedy: 'Grant it: grant create, usage on schema public to USER; or give the store a database of its own.',
};

const lastMigration = async (client: Client, table: string): Promise<number> =>
  (await client.query(`select coalesce(max(number), 0)::int as number from ${table}`)).rows[0].number;

/** Finds out why the tables with some names cannot be used. Those that are missing may be created by the next migration. */
const tablesReason = async (
  client: Client,
  names: readonly string[],
  { isCurrent }: { readonly isCurrent: boolean },
): Promise<ConnectReason | undefined> => {
  const { missing, unwritable } = (await client.query(tableFacts, [names])).rows[0];
  if (unwritable > 0) return connectReasons['42501'];
  return isCurrent && missing > 0 ? connectReasons['42P01'] : undefined;
};

const logFindings = async (client: Client, where: string): Promise<readonly Finding[]> => {
  const numbers = { at: await lastMigration(client, logMigrationsTable), known: logMigrations.at(-1)?.number ?? 0 };
  const newer = newerStore({ what: 'log', where }, numbers);
  if (newer !== undefined) return [{ ...storeFailure(newer, where), severity: 'warning' }];
  const reason = await tablesReason(client, await logTables(), { isCurrent: numbers.at === numbers.known });
  return reason === undefined ? [] : [{ severity: 'error', subject: where, ...reason }];
};

const readSealed = async (client: Client): Promise<SealedRows> => {
  const rows: Record<string, SealedRows[SealedTable]> = {};
  for (const [table, query] of Object.entries(sealedQueries)) {
    const [{ has_table }] = (await client.query('select to_regclass($1) is not null as has_table', [table])).rows;
    if (has_table) rows[table] = (await client.query(query)).rows;
  }
  return rows;
};

const lookInside = async (client: Client, where: string): Promise<StoreLook> => {
  const { rows } = await client.query(facts);
  const { version, clock_ms, is_read_only, may_create, has_schema, encoding } = rows[0];
  const { has_migrations, has_log, has_canary, has_policies } = rows[0];
  const findings = [...versionFindings(version, where), ...clockFindings(Date.now(), clock_ms, where)];
  const add = (reason: ConnectReason | undefined): void => {
    if (reason !== undefined) findings.push({ severity: 'error', subject: where, ...reason });
  };
  if (encoding !== 'UTF8') add(encodingReason(encoding, { hasStore: has_migrations }));
  if (is_read_only) add(connectReasons['25006']);
  const unread = has_migrations ? await tablesReason(client, ['migrations'], { isCurrent: true }) : undefined;
  add(unread);
  if (unread !== undefined) return { findings, isRead: false };
  if (!has_schema) add(schemaReason);
  else if (!may_create && !is_read_only) add(noCreateRight);
  if (!has_migrations) return { findings, isRead: true };
  const numbers = { at: await lastMigration(client, 'migrations'), known: migrations.at(-1)?.number ?? 0 };
  const newer = newerStore({ where }, numbers);
  if (newer !== undefined) return { findings: [...findings, storeFailure(newer, where)], isRead: false };
  const reason = await tablesReason(client, await storeTables(), { isCurrent: numbers.at === numbers.known });
  add(reason);
  if (reason !== undefined) return { findings, isRead: false };
  const canary = has_canary ? (await client.query('select wrapped from canary')).rows[0]?.wrapped : undefined;
  const policies = has_policies ? (await client.query(policiesQuery)).rows.map(toSavedPolicy) : [];
  const log = has_log ? await logFindings(client, where) : [];
  return { findings, isRead: true, log, canary, policies, sealed: await readSealed(client) };
};

/** Examines a store in PostgreSQL, with reads only. */
export const lookAtPostgres = async (
  { url, where }: { readonly url: string; readonly where: string },
  timeoutMs: number,
): Promise<StoreLook> => {
  let client: Client;
  try {
    const pg = await importPg();
    client = new pg.Client(clientConfig(pg, url, { connect: timeoutMs, statement: timeoutMs }));
    client.on('error', () => {});
    await client.connect();
  } catch (error) {
    // The missing package is reported by another check.
    if (isSentence(error)) return { findings: [], isRead: false };
    return { findings: [connectFinding(error, where)], isRead: false };
  }
  try {
    return await lookInside(client, where);
  } catch (error) {
    const what = `The store cannot be read: ${errorText(error)}.`;
    const remedy = 'Give this user the right to read and write its tables.';
    return { findings: [{ severity: 'error', subject: where, what, remedy }], isRead: false };
  } finally {
    await client.end().catch(() => {});
  }
};
