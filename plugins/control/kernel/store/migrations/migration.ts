import type { Kysely } from 'kysely';
import type { Store } from '../store.ts';
import type { Tables } from '../tables/tables.ts';

/** A step from one form of the tables to the next; there is no way back. Once released, it is not changed. */
export interface Migration<Database = Tables> {
  readonly number: number;
  readonly name: string;
  /** It reads and writes rows by `sql`, since the tables that it finds are older than their types. */
  up(db: Kysely<Database>, kind: Store['kind']): Promise<void>;
}
