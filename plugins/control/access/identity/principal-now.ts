import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { KeyScope, OrganisationId, Principal, TenantId, WorkspaceId } from '../../../sdk/exchange/exchange.ts';
import { isExpired } from '../../kernel/records/is-expired.ts';
import { storedSettings } from '../../kernel/records/stored-settings.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { OrganisationRow } from '../../kernel/store/tables.ts';
import { keyReader, principalMaker } from '../keys/key-principal.ts';
import type { PlacedCallers } from './follow-places.ts';

/** The caller that requested work to be done later: the id of a key, or the claims of a token, and never a credential. */
export type StoredCaller = { readonly keyId: string } | TokenCaller;

interface TokenCaller {
  readonly organisation: string;
  readonly userId: string | null;
  readonly scopes: readonly string[];
  readonly metadata: JsonObject;
}

/**
 * Returns the principal that a stored caller currently has in a workspace. Undefined if its key was revoked, has expired or may
 * no longer send requests to models, if its organisation no longer accepts tokens, or if the workspace no longer exists. Rejects
 * while the store is unavailable.
 */
export type PrincipalNow = (tenant: TenantId, caller: StoredCaller) => Promise<Principal | undefined>;

const needed: KeyScope = 'completions.write';

/** Returns the stored form of a caller of the store. Keys of the gateway file do not act in the store. */
export const toStoredCaller = ({ keyId, organisation, userId, scopes, defaults }: Principal): StoredCaller => {
  if (keyId !== undefined) return { keyId };
  const { metadata = {} } = defaults ?? {};
  return { organisation: organisation ?? '', userId: userId ?? null, scopes: [...(scopes ?? [])], metadata };
};

/** A token cannot be verified again later, so its claims count for as long as its organisation accepts tokens. */
const fromToken = (tenant: TenantId, caller: TokenCaller): Principal => ({
  tenant,
  organisation: caller.organisation as OrganisationId,
  workspace: tenant as string as WorkspaceId,
  reach: 'workspace',
  // Only scopes that were granted were stored.
  scopes: new Set(caller.scopes as KeyScope[]),
  defaults: { metadata: caller.metadata, allowConfigOverride: true },
  ...(caller.userId === null ? {} : { userId: caller.userId }),
});

export interface PrincipalNowOptions {
  readonly store: Pick<Store, 'db'>;
  readonly callers: PlacedCallers;
  readonly clock: Pick<Clock, 'wall'>;
}

export const createPrincipalNow = ({ store, callers, clock }: PrincipalNowOptions): PrincipalNow => {
  const read = keyReader(store);
  const toPrincipal = principalMaker();

  const ofKey = async (tenant: TenantId, keyId: string): Promise<Principal | undefined> => {
    const record = await read.byId(keyId);
    if (record === undefined || record.status === 'revoked') return undefined;
    if (isExpired(record, clock.wall())) return undefined;
    const caller: Principal = toPrincipal(record);
    if (caller.tenant === tenant) return callers.place(caller);
    if (caller.reach !== 'organisation') return undefined;
    const workspace = tenant as string as WorkspaceId;
    return callers.findWorkspace(caller, tenant) ?? { ...caller, tenant, workspace };
  };

  const ofToken = (tenant: TenantId, caller: TokenCaller, organisation: OrganisationRow): Principal | undefined =>
    organisation.id === caller.organisation && storedSettings('organisation', organisation).jwt !== undefined
      ? callers.place(fromToken(tenant, caller))
      : undefined;

  return async (tenant, caller) => {
    const organisation = await store.db
      .selectFrom('workspaces')
      .innerJoin('organisations', 'organisations.id', 'workspaces.organisation_id')
      .selectAll('organisations')
      .where('workspaces.id', '=', tenant)
      .executeTakeFirst();
    if (organisation === undefined) return undefined;
    const principal = 'keyId' in caller ? await ofKey(tenant, caller.keyId) : ofToken(tenant, caller, organisation);
    return principal?.scopes?.has(needed) ? principal : undefined;
  };
};
