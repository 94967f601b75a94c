import { type SavedProvider, savedSecrets } from '../../../../schema/config/saved.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { findProviderId } from '../../../sdk/plugin/catalogue.ts';
import { readCredential, type StoredCredential, sealedAt } from '../../catalog/destinations/stored-credential.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { type SealedAt, SecretError } from '../../kernel/secrets/seal.ts';
import type { IntegrationRow, RemoteKind } from '../../kernel/store/tables.ts';
import { foreignIds } from '../remote-ids/foreign-ids.ts';
import { findWatched, type RemoteIds } from '../remote-ids/remote-ids.ts';

/** A provider id that a request names, and the account that the request goes to. */
interface AskedId {
  readonly tenant: TenantId;
  readonly kind: RemoteKind;
  readonly account: {
    /** The same value as `RemoteId.slug`. */
    readonly slug: string;
    /** Absent if a config decides which account is used. */
    readonly saved?: SavedProvider;
  };
  readonly id: string;
}

/** Decides which provider ids requests may name. */
export interface AccountIds {
  /**
   * Finds the owner of an id. An id that the store does not know goes to the provider if only this workspace reaches the account;
   * the setting `unknown_ids` of the saved provider, `allow` or `refuse`, overrides this. An id that another workspace is known
   * to have is always refused.
   *
   * Results: `own`: the workspace got the id from this account. `elsewhere`: it got it from another account. `unknown`: no
   * workspace is known to have it, and it goes to the provider unchanged. `refused`: it is not sent.
   */
  classify(asked: AskedId): Promise<'own' | 'elsewhere' | 'unknown' | 'refused'>;
  /** Whether a request may name an id of the account: it is `own` or `unknown`. */
  mayAccess(asked: AskedId): Promise<boolean>;
}

type Parts = Pick<ControlParts, 'store' | 'sealer' | 'catalogue' | 'readView'>;

/** The record in a reference to a secret of the store: `${saved:providers/018f/…}`. */
const savedRecord = /^\$\{saved:(providers|integrations)\/([^/{}]+)\//;

/** Workspaces with their organisations. */
type Workspaces = readonly { readonly id: string; readonly organisation_id: string }[];

/** Checks whether one of the given workspaces may use an integration. */
const isUsedBy = (
  others: Workspaces,
  { workspaces, organisation_id: organisation }: Pick<IntegrationRow, 'workspaces' | 'organisation_id'>,
): boolean => {
  const ids: readonly string[] | undefined = workspaces === null ? undefined : fromJson(workspaces);
  return others.some((other) => other.organisation_id === organisation && (ids?.includes(other.id) ?? true));
};

/**
 * Returns a function that checks whether one workspace alone reaches an account: there is no other workspace, or none has the
 * same credential, in a saved provider, a virtual key or an integration. What the gateway file saves belongs to everybody, and so
 * does a provider without a credential. Two credentials of one account cannot be distinguished from credentials of two accounts.
 * If a config decides which account is used, `saved` is undefined and the owner is unknown.
 */
const createAccountReach = ({ store: { db }, sealer, catalogue, readView }: Parts) => {
  const opened = async (owner: Omit<SealedAt, 'field'>, stored: StoredCredential): Promise<string[]> => {
    const texts = Object.entries(stored).map(async ([field, sealed]) => {
      try {
        return [await sealer.open(sealed, sealedAt(owner, field))];
      } catch (error) {
        // A credential that cannot be opened gives no access.
        if (error instanceof SecretError) return [];
        throw error;
      }
    });
    return (await Promise.all(texts)).flat();
  };

  /** Checks whether another workspace has one of these secrets for a provider. */
  const isHeldElsewhere = async (
    tenant: TenantId,
    { provider, secrets, others }: { provider: string; secrets: readonly string[]; others: Workspaces },
  ): Promise<boolean> => {
    const toId = (name: string): string => findProviderId(catalogue, name);
    const providers = await db
      .selectFrom('providers')
      .select(['id', 'workspace_id', 'provider', 'credential'])
      .where('workspace_id', '<>', tenant)
      .where('credential', 'is not', null)
      .execute();
    const integrations = await db
      .selectFrom('integrations')
      .select(['id', 'organisation_id', 'provider', 'credential', 'workspaces'])
      .where('credential', 'is not', null)
      .execute();
    const holders = [
      ...providers.map((row) => ({ ...row, table: 'providers', tenant: row.workspace_id })),
      ...integrations
        .filter((row) => isUsedBy(others, row))
        .map((row) => ({ ...row, table: 'integrations', tenant: row.organisation_id })),
    ];
    for (const { credential, ...holder } of holders.filter((each) => toId(each.provider) === toId(provider))) {
      const texts = await opened(holder, readCredential(credential));
      if (texts.some((text) => secrets.includes(text))) return true;
    }
    return false;
  };

  return async (tenant: TenantId, saved: SavedProvider | undefined): Promise<boolean> => {
    const others: Workspaces = await db
      .selectFrom('workspaces')
      .select(['id', 'organisation_id'])
      .where('id', '<>', tenant)
      .execute();
    if (others.length === 0) return true;
    const references = saved === undefined ? [] : savedSecrets(saved);
    if (saved === undefined || references.length === 0 || !references.every((each) => savedRecord.test(each)))
      return false;
    const view = await readView(tenant);
    // `savedRecord` has matched every reference, so all of them are to secrets of the store.
    const secrets = references.flatMap((each) => view.secrets(each as `\${saved:${string}}`) ?? []);
    if (secrets.length < references.length) return false;
    return !(await isHeldElsewhere(tenant, { provider: saved.provider, secrets, others }));
  };
};

/** Ids, resource names and addresses as providers write them. Nothing matches that a server could read as another path. */
const plainId = /^(?:(?:gs|s3):\/\/)?(?!.*(?:^|\/)\.{0,2}(?:\/|$))[\w.:@=+~/-]{1,1024}$/;

export const createAccountIds = (parts: Parts & { readonly remoteIds: RemoteIds }): AccountIds => {
  const { store, remoteIds } = parts;
  const reachesAlone = createAccountReach(parts);

  const classify: AccountIds['classify'] = async ({ tenant, kind, account: { slug, saved }, id }) => {
    const found = await remoteIds.find(tenant, kind, id);
    if (found.some((each) => each.slug === slug)) return 'own';
    // If several accounts gave a batch the same id, older versions recorded only one of them.
    if (found.length > 0)
      return kind === 'batch' && (await findWatched(store.db, { tenant, slug, id })) !== undefined
        ? 'own'
        : 'elsewhere';
    const setting = saved?.settings?.unknown_ids;
    if (setting === 'refuse' || !plainId.test(id)) return 'refused';
    if (setting !== 'allow' && !(await reachesAlone(tenant, saved))) return 'refused';
    return (await foreignIds(store, { tenant, slug, ids: [id] })).size === 0 ? 'unknown' : 'refused';
  };

  return { classify, mayAccess: async (asked) => ['own', 'unknown'].includes(await classify(asked)) };
};
