import { fromJson } from '../../../../schema/json/from-json.ts';
import { countRows, type Reading } from '../records/records.ts';
import type { PolicyRow } from '../store/tables/tables.ts';
import { toUnit } from './amounts.ts';
import { type ConditionBody, type GroupBody, toPolicyCondition } from './conditions.ts';
import type { LimitPolicy, Reset } from './limit-policy.ts';
import { toReset } from './usage-limits.ts';

const windows = { rpm: 'minute', rph: 'hour', rpd: 'day' } as const;

/** When the counters of a policy begin anew. Its weeks begin on Mondays. */
export const resetOfPolicy = (row: PolicyRow): Reset =>
  row.unit === null ? toReset(row, 'monday') : { every: windows[row.unit] };

/** A policy as requests need it. */
export const toLimitPolicy = (row: PolicyRow): LimitPolicy => {
  // The store has only what the rules let in.
  const conditions = fromJson(row.conditions) as readonly ConditionBody[];
  const groups = fromJson(row.group_by) as readonly GroupBody[];
  return {
    id: row.id,
    name: row.name ?? row.id,
    kind: row.kind,
    conditions: conditions.map(toPolicyCondition),
    groupBy: groups.map(({ key }) => key),
    unit: toUnit(row.type),
    limit: row.amount,
    reset: resetOfPolicy(row),
    ...(row.alert_at !== null && { alertAt: row.alert_at }),
    ifUnknown: row.if_unknown,
  };
};

/** Where policies are in force: in a workspace, or in all of an organisation. */
export interface PolicyPlace {
  readonly organisation: string;
  readonly workspace?: string | undefined;
}

/** Reads the policies that are in force, without the limits that keys, workspaces and providers have of their own. */
export const activePolicies = async (
  db: Reading,
  { organisation, workspace }: PolicyPlace,
): Promise<readonly LimitPolicy[]> => {
  const rows = await db
    .selectFrom('policies')
    .selectAll()
    .where('organisation_id', '=', organisation)
    .where('status', '=', 'active')
    .where((where) => where.and(workspace === undefined ? {} : { workspace_id: workspace }))
    .execute();
  return rows.map(toLimitPolicy);
};

/** How many policies of both kinds a workspace has that are in force. */
export const countActive = (db: Reading, workspace: string): Promise<number> =>
  countRows(db.selectFrom('policies').where('workspace_id', '=', workspace).where('status', '=', 'active'));
