import type { Store } from '../../../kernel/store/store.ts';
import type { KeyRecord } from './key-principal.ts';

/** How far somebody has read the changes of keys: which record was the last, and when it had changed. */
export interface KeyCursor {
  readonly at: number;
  readonly id: string;
}

/** Before the first change. */
export const beginning: KeyCursor = { at: -1, id: '' };

/** Reads the keys of a store. Everything rejects while the store is unavailable. */
export interface KeyReader {
  /** The records that changed after a cursor, the oldest change first, at most so many; revoked ones too. */
  changes(after: KeyCursor, limit: number): Promise<readonly KeyRecord[]>;
  /** The record whose key, or key before its rotation, has this hash. */
  byHash(hash: string): Promise<KeyRecord | undefined>;
  byId(id: string): Promise<KeyRecord | undefined>;
}

/** Whether a record changed after a cursor. */
export const isAfter = ({ updated_at, id }: KeyRecord, cursor: KeyCursor): boolean =>
  updated_at > cursor.at || (updated_at === cursor.at && id > cursor.id);

export const keyReader = ({ db }: Pick<Store, 'db'>): KeyReader => {
  const records = () =>
    db
      .selectFrom('keys')
      .leftJoin('workspaces', (join) =>
        join.onRef('workspaces.organisation_id', '=', 'keys.organisation_id').on('workspaces.slug', '=', 'default'),
      )
      .selectAll('keys')
      .select('workspaces.id as default_workspace_id');
  return {
    changes: ({ at, id }, limit) =>
      records()
        .where('keys.updated_at', '>=', at)
        .where((where) => where.or([where('keys.updated_at', '>', at), where('keys.id', '>', id)]))
        .orderBy('keys.updated_at')
        .orderBy('keys.id')
        .limit(limit)
        .execute(),
    byHash: (hash) =>
      records()
        .where((where) => where.or([where('keys.hash', '=', hash), where('keys.previous_hash', '=', hash)]))
        .executeTakeFirst(),
    byId: (id) => records().where('keys.id', '=', id).executeTakeFirst(),
  };
};
