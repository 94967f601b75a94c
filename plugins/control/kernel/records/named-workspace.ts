import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import { notFound } from '../requests/refusals.ts';
import type { RequestScope } from '../requests/request-scope.ts';
import type { Store } from '../store/store.ts';
import { lacksNulCharacters, pickByIdOrSlug, type Reading } from './records.ts';

/** The id of the workspace of an organisation that an id or a slug names; an id is looked for first. */
export const findWorkspace = async (db: Reading, organisation: string, name: string): Promise<string | undefined> => {
  if (!lacksNulCharacters(name)) return undefined;
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where((where) => where.or({ id: name, slug: name }))
    .execute();
  return pickByIdOrSlug(rows, name)?.id;
};

/**
 * Where a request acts whose body may name another workspace of the organisation, by id or slug. Throws the `GatewayError`
 * `not-found` for one that the caller does not reach.
 */
export const resolveNamedWorkspace = async (
  { organisation, tenant }: RequestScope,
  name: string | undefined,
  { store, principal }: { readonly store: Store; readonly principal: RouteContext['principal'] },
): Promise<RequestScope> => {
  if (name === undefined) return { organisation, tenant };
  const found = await findWorkspace(store.db, organisation, name);
  if (found === tenant || (found !== undefined && principal.reach === 'organisation'))
    return { organisation, tenant: found as TenantId };
  throw notFound('workspace', name, 'GET /v1/workspaces');
};
