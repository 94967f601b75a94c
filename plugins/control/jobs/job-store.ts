import type { JsonObject } from '../../../schema/json.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import type { Reading } from '../saved/records.ts';
import type { Writing } from '../store/store.ts';
import type { JobRow } from '../store/tables.ts';
import type { JobOutcome, NewJob } from './job-queue.ts';

/** A job that one process may do until its lease ends. */
export interface Lease {
  readonly kind: string;
  readonly id: string;
  readonly tenant: string;
  readonly payload: JsonObject;
  readonly fence: number;
  readonly failures: number;
}

/** A lease as its process knows it. */
export interface Holding {
  readonly lease: Lease;
  /** Until when it is held if the store says nothing else, in milliseconds of a clock that never goes back. */
  heldUntil: number;
}

const toLease = ({ kind, id, workspace_id, payload, fence, failures }: JobRow): Lease => ({
  ...{ kind, id, tenant: workspace_id, fence, failures },
  // The store has only what was put there as an object.
  payload: parseJson(payload) as JsonObject,
});

export const insertJob = async (
  writing: Writing,
  { kind, id, tenant, payload, runAt, now }: Required<NewJob> & { readonly now: number },
): Promise<void> => {
  await writing
    .insertInto('jobs')
    .values({
      ...{ kind, id, workspace_id: tenant, payload: JSON.stringify(payload) },
      ...{ due_at: runAt, fence: 0, is_held: 0, failures: 0, created_at: now },
    })
    .execute();
};

/** Which of some kinds have jobs that are due. */
export const dueKinds = async (db: Reading, kinds: readonly string[], now: number): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('jobs')
    .select('kind')
    .distinct()
    .where('kind', 'in', kinds)
    .where('due_at', '<=', now)
    .execute();
  return rows.map(({ kind }) => kind);
};

const jobsOf = (writing: Writing, { kind, id, fence }: Pick<Lease, 'kind' | 'id' | 'fence'>) =>
  writing.updateTable('jobs').where('kind', '=', kind).where('id', '=', id).where('fence', '=', fence);

/** Takes jobs that are due, at most so many of each kind, the longest due first. Writes take turns, so that nobody else does. */
export const takeLeases = async (
  writing: Writing,
  wanted: readonly (readonly [kind: string, most: number])[],
  { now, until }: { readonly now: number; readonly until: number },
): Promise<readonly Lease[]> => {
  const leases: Lease[] = [];
  for (const [kind, most] of wanted) {
    const rows = await writing
      .selectFrom('jobs')
      .selectAll()
      .where('kind', '=', kind)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .orderBy('id')
      .limit(most)
      .execute();
    for (const row of rows) {
      await jobsOf(writing, row)
        .set({ due_at: until, fence: row.fence + 1, is_held: 1 })
        .execute();
      leases.push(toLease({ ...row, fence: row.fence + 1 }));
    }
  }
  return leases;
};

/** Makes a job due that nobody holds. */
export const hurryJob = async (
  writing: Writing,
  { kind, id, now }: { readonly kind: string; readonly id: string; readonly now: number },
): Promise<void> => {
  await writing
    .updateTable('jobs')
    .set({ due_at: now })
    .where('kind', '=', kind)
    .where('id', '=', id)
    .where('is_held', '=', 0)
    .where('due_at', '>', now)
    .execute();
};

/** Prolongs leases; answers those that are still held. */
export const renewLeases = async (
  writing: Writing,
  leases: readonly Lease[],
  until: number,
): Promise<ReadonlySet<Lease>> => {
  const held = new Set<Lease>();
  for (const lease of leases) {
    const { numUpdatedRows } = await jobsOf(writing, lease).set({ due_at: until }).executeTakeFirst();
    if (numUpdatedRows > 0n) held.add(lease);
  }
  return held;
};

export const isHeld = async (db: Reading, { kind, id, fence }: Lease): Promise<boolean> => {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .where('fence', '=', fence)
    .executeTakeFirst();
  return row !== undefined;
};

/** Ends a lease that is held, or does nothing. */
export const concludeLease = async (
  writing: Writing,
  lease: Lease,
  { outcome, failures }: { readonly outcome: JobOutcome; readonly failures: number },
): Promise<void> => {
  const { kind, id, fence } = lease;
  if (outcome.kind === 'again') {
    const { runAt, payload = lease.payload } = outcome;
    await jobsOf(writing, lease)
      .set({ due_at: runAt, payload: JSON.stringify(payload), fence: fence + 1, is_held: 0, failures })
      .execute();
    return;
  }
  await writing.deleteFrom('jobs').where('kind', '=', kind).where('id', '=', id).where('fence', '=', fence).execute();
};
