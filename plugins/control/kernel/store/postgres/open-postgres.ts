import { PostgresDialect } from 'kysely';
import type { Store } from '../store.ts';
import { importPg } from './import-pg.ts';
import { createJobThread } from './job-thread.ts';
import { createListener } from './listener.ts';
import { clientConfig, openPool, type Timeouts } from './pool.ts';
import { openPostgresStore } from './postgres-store.ts';

export interface OpenPostgresOptions {
  readonly url: string;
  /** The same without user and password, for people. */
  readonly where: string;
  readonly timeouts: Partial<Timeouts>;
}

const defaultTimeouts: Timeouts = { connect: 5000, statement: 10_000 };

/** @throws StoreError */
export const openPostgres = async (options: OpenPostgresOptions): Promise<Store> => {
  const { url, where } = options;
  const pg = await importPg();
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  return openPostgresStore({
    where,
    dialect: new PostgresDialect({ pool: openPool(pg, { url, where, timeouts }) }),
    jobs: createJobThread({ url, where, timeouts, inTurn: true }),
    listener: createListener(() => new pg.Client(clientConfig(pg, url, timeouts))),
  });
};
