import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { lacksNulCharacters, type Reading } from '../../kernel/records/records.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { RemoteIdRow, WatchedBatchRow } from '../../kernel/store/tables.ts';

export type RemoteKind = RemoteIdRow['kind'];

/** The record of an id that a provider has made. */
interface RemoteId {
  readonly kind: RemoteKind;
  readonly id: string;
  /** The saved provider or virtual key whose account has it. */
  readonly slug: string;
  /** The id of the gateway's own file that this one is a copy of. */
  readonly uses?: string;
  /** Stands for the account of the provider's key with which it was made, as answers name it in `leaf.maker`. */
  readonly account?: string | undefined;
  /** The key with which it was made. */
  readonly createdBy?: string | undefined;
}

/**
 * The ids that providers made for workspaces. Several workspaces can have one account of a provider: each lists and touches
 * there only what it made itself.
 */
export interface RemoteIds {
  record(tenant: TenantId, remote: RemoteId): Promise<void>;
  find(tenant: TenantId, kind: RemoteKind, id: string): Promise<RemoteId | undefined>;
  /** Finds the copy of a gateway's file in an account; where ids are addresses, the one that begins with `place`. */
  standIn(
    tenant: TenantId,
    of: {
      readonly kind: RemoteKind;
      readonly slug: string;
      readonly uses: string;
      readonly place?: string | undefined;
    },
  ): Promise<RemoteId | undefined>;
  /** Picks those of some ids that the workspace made, in one account if a slug is given. */
  among(tenant: TenantId, kind: RemoteKind, ids: readonly string[], slug?: string): Promise<ReadonlySet<string>>;
  /** Resolves to whether it existed. */
  forget(tenant: TenantId, kind: RemoteKind, id: string): Promise<boolean>;
}

const toRemote = ({ kind, remote_id, slug, uses, account, created_by }: RemoteIdRow): RemoteId => ({
  ...{ kind, id: remote_id, slug },
  ...(uses === null ? {} : { uses }),
  ...(account === null ? {} : { account }),
  ...(created_by === null ? {} : { createdBy: created_by }),
});

/** Ids that are looked for by one statement. */
const maxAtOnce = 500;

export const createRemoteIds = ({ store, now }: { readonly store: Store; readonly now: () => number }): RemoteIds => ({
  record: (tenant, { kind, id, slug, uses = null, account = null, createdBy = null }) =>
    store.write(async (writing) => {
      await writing
        .insertInto('remote_ids')
        .values({
          ...{ workspace_id: tenant, kind, remote_id: id, slug, uses, account },
          ...{ created_by: createdBy, created_at: now() },
        })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'kind', 'remote_id']).doUpdateSet({ slug, uses, account }),
        )
        .execute();
    }),
  async find(tenant, kind, id) {
    if (!lacksNulCharacters(id)) return undefined;
    const row = await store.db
      .selectFrom('remote_ids')
      .selectAll()
      .where('workspace_id', '=', tenant)
      .where('kind', '=', kind)
      .where('remote_id', '=', id)
      .executeTakeFirst();
    return row && toRemote(row);
  },
  async standIn(tenant, { kind, slug, uses, place = '' }) {
    const rows = await store.db
      .selectFrom('remote_ids')
      .selectAll()
      .where('workspace_id', '=', tenant)
      .where('kind', '=', kind)
      .where('slug', '=', slug)
      .where('uses', '=', uses)
      .execute();
    const row = rows.find(({ remote_id: id }) => id.startsWith(place));
    return row && toRemote(row);
  },
  async among(tenant, kind, ids, slug) {
    const found = new Set<string>();
    for (let at = 0; at < ids.length; at += maxAtOnce) {
      let query = store.db
        .selectFrom('remote_ids')
        .select('remote_id')
        .where('workspace_id', '=', tenant)
        .where('kind', '=', kind)
        .where('remote_id', 'in', ids.slice(at, at + maxAtOnce));
      if (slug !== undefined) query = query.where('slug', '=', slug);
      const rows = await query.execute();
      for (const { remote_id } of rows) found.add(remote_id);
    }
    return found;
  },
  forget: (tenant, kind, id) =>
    store.write(async (writing) => {
      const deleted = await writing
        .deleteFrom('remote_ids')
        .where('workspace_id', '=', tenant)
        .where('kind', '=', kind)
        .where('remote_id', '=', id)
        .executeTakeFirst();
      return deleted.numDeletedRows > 0n;
    }),
});

/** A batch in an account of a workspace. */
export interface BatchPlace {
  /** The id of its workspace. */
  readonly tenant: string;
  /** The slug of the account. */
  readonly slug: string;
  readonly id: string;
}

export const findWatched = (db: Reading, { tenant, slug, id }: BatchPlace): Promise<WatchedBatchRow | undefined> =>
  db
    .selectFrom('watched_batches')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .where('slug', '=', slug)
    .where('remote_id', '=', id)
    .executeTakeFirst();

/** The ids of a kind that a workspace has made; batches of two accounts may have the same one. */
const madeIds = ({ db }: Store, tenant: TenantId, kind: RemoteKind) => {
  const columns = ['slug', 'remote_id', 'created_at'] as const;
  return (
    kind === 'batch'
      ? db.selectFrom('watched_batches').select(columns).where('workspace_id', '=', tenant)
      : db.selectFrom('remote_ids').select(columns).where('workspace_id', '=', tenant).where('kind', '=', kind)
  ).as('made');
};

/** Reads a page of ids that were recorded; undefined if `after` is none of them. */
export const recordedPage = async (
  store: Store,
  tenant: TenantId,
  {
    kind,
    slug,
    after,
    limit,
  }: {
    readonly kind: RemoteKind;
    readonly slug: string;
    /** The last id of the page before; ids that are made or forgotten meanwhile move nothing. */
    readonly after?: string | undefined;
    readonly limit: number;
  },
): Promise<
  | {
      /** The newest first. */
      readonly ids: readonly string[];
      readonly hasMore: boolean;
    }
  | undefined
> => {
  const those = store.db.selectFrom(madeIds(store, tenant, kind)).where('slug', '=', slug);
  const last =
    after === undefined
      ? undefined
      : await those.select(['created_at', 'remote_id']).where('remote_id', '=', after).executeTakeFirst();
  if (after !== undefined && last === undefined) return undefined;
  const older =
    last === undefined
      ? those
      : those.where((where) =>
          where.or([
            where('created_at', '<', last.created_at),
            where.and([where('created_at', '=', last.created_at), where('remote_id', '<', last.remote_id)]),
          ]),
        );
  const rows = await older
    .select('remote_id')
    .orderBy('created_at', 'desc')
    .orderBy('remote_id', 'desc')
    .limit(limit + 1)
    .execute();
  return { ids: rows.slice(0, limit).map(({ remote_id }) => remote_id), hasMore: rows.length > limit };
};
