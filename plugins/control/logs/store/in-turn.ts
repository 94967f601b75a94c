import { sql } from 'kysely';
import type { LogStore, LogWriting } from './log-store.ts';

/** Any number, which whoever changes records locks: "gw" and "lw" as bytes. */
const writingLock = 0x67776c77;

/**
 * Waits until no other transaction changes records: numbers are given to records and to what they have in common, and of
 * what is deleted it is known that nobody uses it. A file has one writer anyway.
 */
export const takeTurn = async (writing: LogWriting, kind: LogStore['kind']): Promise<void> => {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(writingLock)})`.execute(writing);
};
