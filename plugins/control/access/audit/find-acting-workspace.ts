import { isJsonObject } from '../../../../schema/json/json.ts';
import type { Principal } from '../../../sdk/exchange/exchange.ts';
import type { AnyRouteRow, RouteInput } from '../../../sdk/route/route-row.ts';
import { findWorkspace, type Reading } from '../../kernel/records/records.ts';

/** The tables whose records callers of an organisation change by id, in any workspace, by the prefixes of the paths. */
const tables = [
  ['/api-keys/{id}', 'keys'],
  ['/policies/', 'policies'],
] as const;

/** Returns the workspace that a request names, in its path or in its body. */
const namedWorkspace = ({ path }: Pick<AnyRouteRow, 'path'>, { params, body }: RouteInput): string | undefined => {
  const name = path.startsWith('/workspaces/') ? params.workspace : isJsonObject(body) ? body.workspace_id : undefined;
  return typeof name === 'string' ? name : undefined;
};

/**
 * Finds the workspace that a request acts in. This is the caller's workspace, but a caller that can access the whole organisation
 * may name another one, or change a record that belongs to another one. Undefined if the caller has no workspace.
 */
export const findActingWorkspace = async (
  db: Reading,
  { row, input, principal }: { readonly row: AnyRouteRow; readonly input: RouteInput; readonly principal: Principal },
): Promise<string | undefined> => {
  const { organisation, reach, workspace } = principal;
  if (organisation === undefined || reach !== 'organisation') return workspace;
  const named = namedWorkspace(row, input);
  if (named !== undefined) return (await findWorkspace(db, organisation, named)) ?? workspace;
  const { id } = input.params;
  const table = tables.find(([path]) => row.path.startsWith(path))?.[1];
  if (table === undefined || typeof id !== 'string') return workspace;
  const found = await db
    .selectFrom(table)
    .select('workspace_id')
    .where('organisation_id', '=', organisation)
    .where('id', '=', id.toLowerCase())
    .executeTakeFirst();
  return found?.workspace_id ?? workspace;
};
