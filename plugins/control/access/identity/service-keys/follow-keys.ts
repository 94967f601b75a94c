import type { KeyRecord } from './key-principal.ts';
import { beginning, isAfter, type KeyCursor, type KeyReader } from './key-reader.ts';
import { createKnownKeys, type Knowledge, type KnownKeys, type WallClock } from './known-keys.ts';

/** The keys of a store as they were when the store was last asked. */
export interface FollowedKeys {
  find(hash: string, clock: WallClock): Knowledge;
  mayKnow(text: string, clock: WallClock): boolean;
  /**
   * Reads what changed; everything, if it is asked to, or if the version has gone back. Resolves to the ids of keys that
   * were known and are revoked or gone now. Rejects while the store is unavailable: what was known stays.
   */
  refresh(version: number, all: boolean): Promise<readonly string[]>;
  /** Takes in a record that was read alone, if it is newer than what is known. Revoked ones are left to `refresh`. */
  add(record: KeyRecord): void;
}

/** How many records are read and applied at a time: between two pages the event loop is free. */
const pageSize = 2000;

interface Place {
  readonly keys: KnownKeys;
  cursor: KeyCursor;
}

export const followKeys = (read: Pick<KeyReader, 'changes' | 'byHash'>): FollowedKeys => {
  let place: Place = { keys: createKnownKeys(), cursor: beginning };
  let known = -1;

  /** Takes in all that is after the cursor. */
  const readOn = async (into: Place): Promise<readonly string[]> => {
    const revoked: string[] = [];
    for (;;) {
      const records = await read.changes(into.cursor, pageSize);
      for (const record of records) if (into.keys.apply(record)) revoked.push(record.id);
      const last = records.at(-1);
      if (last !== undefined) into.cursor = { at: last.updated_at, id: last.id };
      if (records.length < pageSize) return revoked;
    }
  };

  const readAll = async (): Promise<readonly string[]> => {
    const fresh: Place = { keys: createKnownKeys(), cursor: beginning };
    await readOn(fresh);
    const gone = [...place.keys.ids()].filter((id) => !fresh.keys.has(id));
    place = fresh;
    return gone;
  };

  return {
    find: (hash, clock) => place.keys.find(hash, clock),
    mayKnow: (text, clock) => place.keys.mayKnow(text, clock),
    async refresh(version, all) {
      if (version === known && !all) return [];
      const revoked = await (all || version < known ? readAll() : readOn(place));
      known = version;
      return revoked;
    },
    add(record) {
      if (record.status !== 'revoked' && isAfter(record, place.cursor)) place.keys.apply(record);
    },
  };
};
