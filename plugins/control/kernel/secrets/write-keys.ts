import { sql } from 'kysely';
import type { Writing } from '../store/store.ts';
import type { SecretStore } from './secret-store.ts';

/**
 * One transaction that makes keys or wraps them again, while no other does, in whatever process. In PostgreSQL the lock comes
 * before all else, since a transaction sees what others had done by its first query; so none has to be tried again.
 */
export const writeKeys = <Result>(store: SecretStore, run: (writing: Writing) => Promise<Result>): Promise<Result> =>
  store.write(async (writing) => {
    if (store.kind === 'postgres') await sql`lock table canary in share row exclusive mode`.execute(writing);
    return run(writing);
  });
