import { sql } from 'kysely';
import { addedUp } from '../recording/hour-rows.ts';
import type { LogRow } from '../store/log-columns.ts';
import type { LogStore } from '../store/log-store.ts';

/** What one hour adds up to. */
export type HourTotals = Pick<LogRow<'log_hours'>, (typeof addedUp)[number] | 'most_micros' | 'hour'>;

/** What hours can be chosen by. */
export type HourFilter = Partial<
  Pick<LogRow<'log_hours'>, 'key_id' | 'config' | 'prompt' | 'provider' | 'model' | 'status'>
>;

export interface HourRange {
  readonly tenant: string;
  /** Milliseconds since the epoch: from `min` on, before `max`. */
  readonly min: number;
  readonly max: number;
  readonly filter: HourFilter;
}

/** What the hours of a workspace add up to, in their order. Hours without requests are left out. */
export const sumHours = async (
  { db }: Pick<LogStore, 'db'>,
  { tenant, min, max, filter }: HourRange,
): Promise<readonly HourTotals[]> => {
  const sums = addedUp.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`);
  const conditions = [
    sql`workspace_id = ${tenant} and hour >= ${min} and hour < ${max}`,
    ...Object.entries(filter).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
  ];
  const { rows } =
    await sql<HourTotals>`select hour, ${sql.join(sums)}, max(most_micros) as most_micros from log_hours where ${sql.join(conditions, sql` and `)} group by hour order by hour`.execute(
      db,
    );
  return rows;
};
