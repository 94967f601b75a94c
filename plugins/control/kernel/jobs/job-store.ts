import { sql } from 'kysely';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import type { FairShares } from '../../../sdk/fairness/fair-shares.ts';
import { countRows, type Reading } from '../records/records.ts';
import type { Store, Writing } from '../store/store.ts';
import type { JobRow } from '../store/tables.ts';
import type { JobOutcome, NewJob } from './job-queue.ts';

/** A job that one process may run until its lease ends. */
export interface Lease {
  readonly kind: string;
  readonly id: string;
  readonly tenant: string;
  readonly payload: JsonObject;
  readonly fence: number;
  readonly failures: number;
}

const toLease = ({ kind, id, workspace_id, payload, fence, failures }: JobRow): Lease => ({
  ...{ kind, id, tenant: workspace_id, fence, failures },
  // The store contains only payloads that were stored as objects.
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

/** Returns those of the given kinds that have jobs that are due. */
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

/** Selects a job if no other process has taken it. */
const held = ({ kind, id, fence }: Pick<Lease, 'kind' | 'id' | 'fence'>) => ({ kind, id, fence });

const updateJob = (writing: Writing, lease: Pick<Lease, 'kind' | 'id' | 'fence'>) =>
  writing.updateTable('jobs').where((where) => where.and(held(lease)));

/** How many jobs of a tenant are due, counted up to a limit. */
interface DueJobs {
  readonly tenant: string;
  readonly due: number;
}

/**
 * Returns the tenants that have due jobs of a kind, starting with the tenant whose job has been due longest. Each step of the
 * recursion is one index lookup, so the query takes time proportional to the number of tenants, however many jobs each of them
 * has.
 */
export const dueTenants = async (
  db: Store['db'],
  { kind, now, max }: { readonly kind: string; readonly now: number; readonly max: number },
): Promise<readonly DueJobs[]> => {
  const { rows } = await sql<{ tenant: string; due: number | string; since: number | string }>`
    with recursive tenants (id) as (
      select min(workspace_id) from jobs where kind = ${kind}
      union all
      select (select min(workspace_id) from jobs where kind = ${kind} and workspace_id > tenants.id)
      from tenants where tenants.id is not null
    )
    select tenants.id as tenant,
      (select min(due_at) from jobs where kind = ${kind} and workspace_id = tenants.id) as since,
      (select count(*) from (
        select 1 from jobs where kind = ${kind} and workspace_id = tenants.id and due_at <= ${now} limit ${max}
      ) as counted) as due
    from tenants where tenants.id is not null order by since, tenant`.execute(db);
  return rows.map(({ tenant, due }) => ({ tenant, due: Number(due) })).filter(({ due }) => due > 0);
};

/** The maximum number of jobs of a kind to take for a tenant. */
export interface WantedJobs {
  readonly kind: string;
  readonly tenant: string;
  readonly max: number;
}

/**
 * Takes jobs that are due; for each tenant, those that have been due longest. No other process takes them, because writes take
 * turns.
 */
export const takeLeases = async (
  writing: Writing,
  wanted: readonly WantedJobs[],
  { now, until }: { readonly now: number; readonly until: number },
): Promise<readonly Lease[]> => {
  const leases: Lease[] = [];
  for (const { kind, tenant, max } of wanted) {
    const rows = await writing
      .selectFrom('jobs')
      .selectAll()
      .where('kind', '=', kind)
      .where('workspace_id', '=', tenant)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .orderBy('id')
      .limit(max)
      .execute();
    for (const row of rows) {
      await updateJob(writing, row)
        .set({ due_at: until, fence: row.fence + 1, is_held: 1 })
        .execute();
      leases.push(toLease({ ...row, fence: row.fence + 1 }));
    }
  }
  return leases;
};

/** Counts the jobs of a kind that a tenant has and no process is running, up to a limit. */
export const countWaiting = async (db: Reading, { kind, tenant, max }: WantedJobs): Promise<number> => {
  const { waiting } = await db
    .selectFrom((from) =>
      from
        .selectFrom('jobs')
        .select('id')
        .where('kind', '=', kind)
        .where('workspace_id', '=', tenant)
        .where('is_held', '=', 0)
        .limit(max)
        .as('counted'),
    )
    .select((select) => select.fn.countAll().as('waiting'))
    .executeTakeFirstOrThrow();
  return Number(waiting);
};

/** Makes a job due that no process holds. */
export const makeJobDue = async (
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

/** Makes all jobs due that no process holds. */
export const makeWaitingDue = async (writing: Writing, now: number): Promise<void> => {
  await writing.updateTable('jobs').set({ due_at: now }).where('is_held', '=', 0).where('due_at', '>', now).execute();
};

/** Extends leases. Returns those that are still held. */
export const renewLeases = async (
  writing: Writing,
  leases: readonly Lease[],
  until: number,
): Promise<ReadonlySet<Lease>> => {
  const held = new Set<Lease>();
  for (const lease of leases) {
    const { numUpdatedRows } = await updateJob(writing, lease).set({ due_at: until }).executeTakeFirst();
    if (numUpdatedRows > 0n) held.add(lease);
  }
  return held;
};

export const isHeld = async (db: Reading, lease: Lease): Promise<boolean> =>
  (await countRows(db.selectFrom('jobs').where((where) => where.and(held(lease))))) > 0;

/** Ends a lease. Does nothing if it is no longer held. */
export const concludeLease = async (
  writing: Writing,
  lease: Lease,
  { outcome, failures }: { readonly outcome: JobOutcome; readonly failures: number },
): Promise<void> => {
  if (outcome.kind === 'done') {
    await writing
      .deleteFrom('jobs')
      .where((where) => where.and(held(lease)))
      .execute();
    return;
  }
  const { runAt, payload = lease.payload } = outcome;
  await updateJob(writing, lease)
    .set({ due_at: runAt, payload: JSON.stringify(payload), fence: lease.fence + 1, is_held: 0, failures })
    .execute();
};

/**
 * Takes places for jobs that are due, one tenant after another, while there are places. Returns how many places each tenant has
 * taken. A tenant with more jobs than places keeps its turn for the next time.
 */
export const allot = (shares: FairShares, dueJobs: readonly DueJobs[]): ReadonlyMap<string, number> => {
  const left = new Map(dueJobs.map(({ tenant, due }) => [tenant, due]));
  const allotted = new Map<string, number>();
  for (const tenant of shares.waiting()) if (!left.has(tenant)) shares.leave(tenant);
  for (const tenant of left.keys()) shares.wait(tenant);
  for (let tenant = shares.next(); tenant !== undefined; tenant = shares.next()) {
    allotted.set(tenant, (allotted.get(tenant) ?? 0) + 1);
    if (allotted.get(tenant) === left.get(tenant)) shares.leave(tenant);
  }
  return allotted;
};
