import type { SavedProvider } from '../../../schema/saved.ts';
import type { TenantId } from '../../sdk/exchange.ts';
import type { ControlParts } from '../control-parts.ts';
import { foreignIds } from '../references/foreign-ids.ts';
import { createAccountReach } from './account-reach.ts';
import type { RemoteKind } from './remote-ids.ts';

/** An id of a provider that a request names, and the account in which it is asked for. */
export interface AskedId {
  readonly tenant: TenantId;
  readonly kind: RemoteKind;
  readonly account: {
    /** As `RemoteId.slug` has it. */
    readonly slug: string;
    /** Absent where a config decides which account it is. */
    readonly saved?: SavedProvider;
  };
  readonly id: string;
}

/**
 * Whose an id is. `own`: the workspace has had it from the account. `elsewhere`: it has had it from another account. `unknown`:
 * no workspace is known to have it, and it goes to the provider as it is. `refused`: it does not go.
 */
export type Whose = 'own' | 'elsewhere' | 'unknown' | 'refused';

/** The ids of providers that requests may name. */
export interface AccountIds {
  /**
   * What the store does not know goes to the provider where the workspace alone reaches the account; the setting `unknown_ids`
   * of what is saved, `allow` or `refuse`, decides otherwise. What another workspace is known to have is refused in any case.
   */
  whose(asked: AskedId): Promise<Whose>;
  /** Whether a thing of the account may be asked for: it is `own` or `unknown`. */
  mayAsk(asked: AskedId): Promise<boolean>;
}

/** Ids, names of resources and addresses as providers write them: nothing that could be read as another path. */
const plainId = /^(?:(?:gs|s3):\/\/)?(?!.*(?:^|\/)\.{0,2}(?:\/|$))[\w.:@=+~/-]{1,1024}$/;

export const createAccountIds = (
  parts: Pick<ControlParts, 'store' | 'sealer' | 'catalogue' | 'viewOf' | 'remoteIds'>,
): AccountIds => {
  const { store, remoteIds } = parts;
  const reachesAlone = createAccountReach(parts);

  const whose: AccountIds['whose'] = async ({ tenant, kind, account: { slug, saved }, id }) => {
    const found = await remoteIds.find(tenant, kind, id);
    if (found !== undefined) return found.slug === slug ? 'own' : 'elsewhere';
    const setting = saved?.settings?.unknown_ids;
    if (setting === 'refuse' || !plainId.test(id)) return 'refused';
    if (setting !== 'allow' && !(await reachesAlone(tenant, saved))) return 'refused';
    return (await foreignIds(store, { tenant, slug, ids: [id] })).size === 0 ? 'unknown' : 'refused';
  };

  return { whose, mayAsk: async (asked) => ['own', 'unknown'].includes(await whose(asked)) };
};
