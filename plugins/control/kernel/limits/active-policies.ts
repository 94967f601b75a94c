import { countRows, type Reading } from '../records/records.ts';
import type { LimitPolicy } from './limit-policy.ts';
import { toLimitPolicy } from './to-limit-policy.ts';

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
