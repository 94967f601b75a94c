import type { Store } from '../../../kernel/store/store.ts';
import type { OrganisationRow, WorkspaceRow } from '../../../kernel/store/tables/tables.ts';
import type { KeyCursor } from '../service-keys/key-reader.ts';

/** Reads organisations and their workspaces. Everything rejects while the store is unavailable. */
export interface PlaceReader {
  /** The organisations that changed after a cursor, or whose workspaces did, the oldest change first, at most so many. */
  organisations(after: KeyCursor, limit: number): Promise<readonly OrganisationRow[]>;
  /** All workspaces of organisations. */
  workspaces(organisations: readonly string[]): Promise<readonly WorkspaceRow[]>;
}

export const placeReader = ({ db }: Pick<Store, 'db'>): PlaceReader => ({
  organisations: ({ at, id }, limit) =>
    db
      .selectFrom('organisations')
      .selectAll()
      .where((where) =>
        where.or([where('updated_at', '>', at), where.and([where('updated_at', '=', at), where('id', '>', id)])]),
      )
      .orderBy('updated_at')
      .orderBy('id')
      .limit(limit)
      .execute(),
  workspaces: (organisations) =>
    db.selectFrom('workspaces').selectAll().where('organisation_id', 'in', organisations).execute(),
});
