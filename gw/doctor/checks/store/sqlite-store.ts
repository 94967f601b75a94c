import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type MigrateOptions, newerStore } from '../../../../plugins/control/kernel/store/migrations/migrate.ts';
import { migrations } from '../../../../plugins/control/kernel/store/migrations/migrations.ts';
import { isBusyCode, toFailure } from '../../../../plugins/control/kernel/store/sqlite/failure.ts';
import {
  type Connection,
  DatabaseSync,
  servedElsewhere,
  toLockError,
} from '../../../../plugins/control/kernel/store/sqlite/process-lock.ts';
import { findStoreFile } from '../../../../plugins/control/kernel/store/sqlite/store-file.ts';
import { StoreError } from '../../../../plugins/control/kernel/store/store.ts';
import { logMigrations, logMigrationsTable } from '../../../../plugins/control/logs/writer/log-migrations.ts';
import { toLogFile } from '../../../../plugins/control/logs/writer/open-log-store.ts';
import { errorCode } from '../../../../schema/text/error-code.ts';
import type { Finding } from '../../set-up/finding.ts';
import { storeFailure } from './find-store.ts';
import { policiesQuery, type SavedPolicy, toSavedPolicy } from './policy-labels.ts';
import { type SealedRows, sealedQueries } from './sealed-secrets.ts';

/** The result of examining a store. `canary` is the sealed proof of its master key; undefined if nothing is sealed yet. */
export interface StoreLook {
  readonly findings: readonly Finding[];
  /** The problems of the request log that belongs to it. */
  readonly log?: readonly Finding[];
  readonly canary?: string | undefined;
  readonly policies?: readonly SavedPolicy[];
  readonly sealed?: SealedRows;
  /** Whether its tables were read. */
  readonly isRead: boolean;
}

/** Opens a file read-only. If there is no journal beside it, none is created. */
const openForReading = (file: string): Connection => {
  const url = pathToFileURL(file);
  if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true, timeout: 200 });
};

const reading = <Value>(file: string, read: (database: Connection) => Value): Value => {
  const database = openForReading(file);
  try {
    return read(database);
  } finally {
    database.close();
  }
};

/** Whether another process holds the lock of those that serve a file. The lock is a transaction of an empty database. */
const isLocked = (file: string): boolean => {
  const lock = `${file}.lock`;
  if (!existsSync(lock)) return false;
  let database: Connection | undefined;
  try {
    database = new DatabaseSync(lock, { readOnly: true, timeout: 0 });
    database.prepare('select count(*) from sqlite_schema').get();
    return false;
  } catch (error) {
    if (isBusyCode(error)) return true;
    throw toLockError(error, lock);
  } finally {
    database?.close();
  }
};

const hasTable = (database: Connection, name: string): boolean =>
  database.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !== undefined;

interface Migrated extends Pick<MigrateOptions, 'what' | 'where'> {
  /** The table that records the migrations that were applied. */
  readonly table: 'migrations' | typeof logMigrationsTable;
  /** The migrations that this program knows. */
  readonly known: readonly { readonly number: number }[];
}

/** Returns whether its tables have been created. Throws the `StoreError` for tables that a newer program has written. */
const hasTables = (database: Connection, { table, known, ...what }: Migrated): boolean => {
  if (!hasTable(database, table)) return false;
  const { number = 0 } = database.prepare(`select max(number) as number from ${table}`).get() ?? {};
  const newer = newerStore(what, { at: Number(number), known: known.at(-1)?.number ?? 0 });
  if (newer !== undefined) throw newer;
  return true;
};

const readTables = (file: string): Pick<StoreLook, 'canary' | 'policies' | 'sealed'> =>
  reading(file, (database) => {
    if (!hasTables(database, { where: file, table: 'migrations', known: migrations })) return {};
    const row = hasTable(database, 'canary') ? database.prepare('select wrapped from canary').get() : undefined;
    const policies = hasTable(database, 'policies') ? database.prepare(policiesQuery).all().map(toSavedPolicy) : [];
    const sealed = Object.fromEntries(
      Object.entries(sealedQueries).map(([table, query]) => [
        table,
        hasTable(database, table) ? database.prepare(query).all() : [],
      ]),
    );
    return { policies, sealed, ...(row === undefined ? {} : { canary: String(row.wrapped) }) };
  });

/** Returns the error for a file or a folder that cannot be read and written; undefined if it can. */
const findDenial = (name: string): Promise<unknown> =>
  access(name, constants.W_OK | constants.R_OK).then(
    () => undefined,
    (error: unknown) => error,
  );

/** Converts an error of a file to a finding. Throws an error that is not about the file. */
const fileFinding = (error: unknown, file: string): Finding => {
  const failure = toFailure(error, file);
  return storeFailure(failure.store === true ? new StoreError(failure.message) : error, file);
};

const folderFinding = async (file: string): Promise<Finding | undefined> => {
  const folder = path.dirname(file);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    return {
      severity: 'error',
      subject: file,
      what: `The folder ${folder} of the store does not exist.`,
      remedy: `Create it: mkdir -p ${folder}`,
    };
  for (const name of [folder, ...(existsSync(file) ? [file] : [])]) {
    const denial = await findDenial(name);
    if (errorCode(denial) === 'EROFS') return fileFinding(denial, file);
    if (denial !== undefined)
      return {
        severity: 'error',
        subject: file,
        what: `The user of the gateway may not read and write ${name}.`,
        remedy: `Give this user the right to write the store and its folder: ${folder}`,
      };
  }
  return undefined;
};

/** File systems on which the locks and the shared memory of SQLite do not work across machines: statfs(2). */
const networkFileSystems: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB',
  12805120: 'Ceph',
  1397113167: 'AFS',
  198183891: 'Lustre',
  16914839: '9p',
  1196443219: 'GPFS',
};

/** Checks the type of the file system that contains a store. */
export const networkFolder = (file: string, type: number): readonly Finding[] => {
  const name = networkFileSystems[type >>> 0];
  if (name === undefined) return [];
  return [
    {
      severity: 'error',
      subject: file,
      what: `The store is on a network file system (${name}), on which SQLite's locks do not hold: the file may be damaged.`,
      remedy: 'Keep the file on a disk of this machine, or keep the store in PostgreSQL.',
    },
  ];
};

/** Examines the request log beside a file, without changing it. Requests are served without it too. */
const lookAtLogFile = (storeFile: string): readonly Finding[] => {
  const file = toLogFile(storeFile);
  if (!existsSync(file)) return [];
  try {
    const log = { what: 'log', where: file, table: logMigrationsTable, known: logMigrations } as const;
    reading(file, (database) => hasTables(database, log));
    return [];
  } catch (error) {
    return [{ ...fileFinding(error, file), severity: 'warning' }];
  }
};

/** Examines a SQLite file without changing it. */
export const lookAtSqlite = async (file: string, isOwnRunning: boolean): Promise<StoreLook> => {
  const unusable = await folderFinding(file);
  if (unusable !== undefined) return { findings: [unusable], isRead: false };
  const { type } = await statfs(path.dirname(file));
  const findings = networkFolder(file, type);
  try {
    const linked = findStoreFile(file);
    if (!isOwnRunning && isLocked(linked)) throw servedElsewhere(file);
    if (!existsSync(file)) return { findings, isRead: true };
    return { findings, isRead: true, log: lookAtLogFile(file), ...readTables(file) };
  } catch (error) {
    return { findings: [...findings, fileFinding(error, file)], isRead: false };
  }
};
