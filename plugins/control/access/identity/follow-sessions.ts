import { hash } from 'node:crypto';
import type { Clock } from '../../../sdk/clock.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { SessionRow } from '../../kernel/store/tables.ts';
import { beginning, cursorAfter, type KeyCursor } from '../keys/key-principal.ts';

/** Computes the stored form of a session's token. */
export const sessionHash = (token: string): string => hash('sha256', token, 'hex');

/** Reads the sessions of a store. All methods reject while the store is unavailable. */
export interface SessionReader {
  /**
   * Returns the sessions that changed after a cursor and have not expired, the oldest change first, up to a limit; ended ones
   * too.
   */
  changes(after: KeyCursor, limit: number, now: number): Promise<readonly SessionRow[]>;
  byHash(hash: string): Promise<SessionRow | undefined>;
}

export const sessionReader = ({ db }: Pick<Store, 'db'>): SessionReader => ({
  changes: ({ at, id }, limit, now) =>
    db
      .selectFrom('sessions')
      .selectAll()
      .where('updated_at', '>=', at)
      .where('expires_at', '>', now)
      .where((where) => where.or([where('updated_at', '>', at), where('id', '>', id)]))
      .orderBy('updated_at')
      .orderBy('id')
      .limit(limit)
      .execute(),
  byHash: (id) => db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst(),
});

/** A session that has not ended. */
export interface KnownSession {
  readonly keyHash: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The sessions of a store, as of the last query, by the hashes of their tokens. */
export interface FollowedSessions {
  /** Returns undefined if the session has ended or is not known. */
  find(hash: string): KnownSession | undefined;
  /** Adds a session that was read separately, and returns it if it has not ended. */
  add(row: SessionRow | undefined): KnownSession | undefined;
  /** Reads what has changed, or everything if `all` is set or the version has decreased. */
  refresh(version: number, all: boolean): Promise<void>;
}

const pageSize = 2000;

/** Follows sessions by the feed `keys`, which each of their changes increments. */
export const followSessions = (read: SessionReader['changes'], clock: Pick<Clock, 'wall'>): FollowedSessions => {
  let sessions = new Map<string, KnownSession>();
  let cursor = beginning;
  let known = -1;

  const apply = (into: Map<string, KnownSession>, row: SessionRow): KnownSession | undefined => {
    into.delete(row.id);
    if (row.ended_at !== null || row.expires_at <= clock.wall()) return undefined;
    const session = { keyHash: row.key_hash, expiresAt: row.expires_at };
    into.set(row.id, session);
    return session;
  };

  const readOn = async (into: Map<string, KnownSession>, from: KeyCursor): Promise<KeyCursor> => {
    let after = from;
    for (;;) {
      const rows = await read(after, pageSize, clock.wall());
      for (const row of rows) apply(into, row);
      const before = after;
      after = cursorAfter(rows, before);
      if (rows.length < pageSize || after === before) return after;
    }
  };

  /** All sessions last equally long, so those that began first expire first. */
  const forgetExpired = (): void => {
    const now = clock.wall();
    for (const [id, { expiresAt }] of sessions) {
      if (expiresAt > now) break;
      sessions.delete(id);
    }
  };

  return {
    find(id) {
      const found = sessions.get(id);
      return found !== undefined && clock.wall() < found.expiresAt ? found : undefined;
    },
    add: (row) => (row === undefined ? undefined : apply(sessions, row)),
    async refresh(version, all) {
      if (version === known && !all) return;
      if (all || version < known) {
        const fresh = new Map<string, KnownSession>();
        cursor = await readOn(fresh, beginning);
        sessions = fresh;
      } else cursor = await readOn(sessions, cursor);
      known = version;
      forgetExpired();
    },
  };
};
