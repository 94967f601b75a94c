import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { lacksNulCharacters, type Reading } from '../../kernel/records/records.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { RemoteIdRow, RemoteKind, WatchedBatchRow } from '../../kernel/store/tables.ts';

/** The record of an id that a provider created. */
interface RemoteId {
  readonly kind: RemoteKind;
  readonly id: string;
  /** The saved provider or virtual key whose account has it. */
  readonly slug: string;
  /** The id of the gateway's own file that this file is a copy of. */
  readonly uses?: string;
  /** Stands for the account of the provider key that created it, as responses report it in `leaf.maker`. */
  readonly account?: string | undefined;
  /** The key that created it. */
  readonly createdBy?: string | undefined;
}

/**
 * The ids that providers created for workspaces. Several workspaces can share an account of a provider; each lists and changes
 * only what it created itself.
 */
export interface RemoteIds {
  record(tenant: TenantId, remote: RemoteId): Promise<void>;
  /** Finds the record of an id in each account that has it. */
  find(tenant: TenantId, kind: RemoteKind, id: string): Promise<readonly RemoteId[]>;
  /** Finds the copy of a gateway's file in an account; if ids are addresses, the copy whose address begins with `place`. */
  findCopy(
    tenant: TenantId,
    of: {
      readonly kind: RemoteKind;
      readonly slug: string;
      readonly uses: string;
      readonly place?: string | undefined;
    },
  ): Promise<RemoteId | undefined>;
  /** Picks the ids that the workspace created in an account. */
  filterOwned(tenant: TenantId, kind: RemoteKind, ids: readonly string[], slug: string): Promise<ReadonlySet<string>>;
  /** Deletes a record, and resolves to whether it existed in the account. */
  forget(tenant: TenantId, remote: Pick<RemoteId, 'kind' | 'id' | 'slug'>): Promise<boolean>;
}

/** The kinds that rows of an account may have. */
export const kindsAt = (kind: RemoteKind, slug: string): readonly [RemoteKind, RemoteIdRow['kind']] => [
  kind,
  `${kind}@${slug}`,
];

/** Reads the rows of an id, one for each account that has it. */
export const remoteRows = async (
  db: Reading,
  tenant: string,
  { kind, id }: Pick<RemoteId, 'kind' | 'id'>,
): Promise<readonly RemoteIdRow[]> => {
  const rows = await db
    .selectFrom('remote_ids')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .where('remote_id', '=', id)
    .execute();
  return rows.filter((row) => kindsAt(kind, row.slug).some((each) => each === row.kind));
};

const toRemote = (kind: RemoteKind, { remote_id, slug, uses, account, created_by }: RemoteIdRow): RemoteId => ({
  ...{ kind, id: remote_id, slug },
  ...(uses === null ? {} : { uses }),
  ...(account === null ? {} : { account }),
  ...(created_by === null ? {} : { createdBy: created_by }),
});

/** The maximum number of ids in one statement. */
const maxAtOnce = 500;

export const createRemoteIds = ({ store, now }: { readonly store: Store; readonly now: () => number }): RemoteIds => ({
  record: (tenant, { kind, id, slug, uses = null, account = null, createdBy = null }) =>
    store.write(async (writing) => {
      for (const place of kindsAt(kind, slug)) {
        const written = await writing
          .insertInto('remote_ids')
          .values({
            ...{ workspace_id: tenant, kind: place, remote_id: id, slug, uses, account },
            ...{ created_by: createdBy, created_at: now() },
          })
          .onConflict((conflict) =>
            conflict
              .columns(['workspace_id', 'kind', 'remote_id'])
              .doUpdateSet({ uses, account })
              .where('remote_ids.slug', '=', slug),
          )
          .executeTakeFirst();
        // Nothing is written if the row belongs to another account.
        if ((written.numInsertedOrUpdatedRows ?? 0n) > 0n) return;
      }
    }),
  async find(tenant, kind, id) {
    if (!lacksNulCharacters(id)) return [];
    return (await remoteRows(store.db, tenant, { kind, id })).map((row) => toRemote(kind, row));
  },
  async findCopy(tenant, { kind, slug, uses, place = '' }) {
    const rows = await store.db
      .selectFrom('remote_ids')
      .selectAll()
      .where('workspace_id', '=', tenant)
      .where('kind', 'in', kindsAt(kind, slug))
      .where('slug', '=', slug)
      .where('uses', '=', uses)
      .execute();
    const row = rows.find(({ remote_id: id }) => id.startsWith(place));
    return row && toRemote(kind, row);
  },
  async filterOwned(tenant, kind, ids, slug) {
    const found = new Set<string>();
    for (let at = 0; at < ids.length; at += maxAtOnce) {
      const rows = await store.db
        .selectFrom('remote_ids')
        .select('remote_id')
        .where('workspace_id', '=', tenant)
        .where('kind', 'in', kindsAt(kind, slug))
        .where('slug', '=', slug)
        .where('remote_id', 'in', ids.slice(at, at + maxAtOnce))
        .execute();
      for (const { remote_id } of rows) found.add(remote_id);
    }
    return found;
  },
  forget: (tenant, { kind, id, slug }) =>
    store.write(async (writing) => {
      const deleted = await writing
        .deleteFrom('remote_ids')
        .where('workspace_id', '=', tenant)
        .where('kind', 'in', kindsAt(kind, slug))
        .where('remote_id', '=', id)
        .where('slug', '=', slug)
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

/** Selects the ids of a kind that a workspace has created in an account. */
const madeIds = ({ db }: Store, tenant: TenantId, kind: RemoteKind, slug: string) => {
  const columns = ['slug', 'remote_id', 'created_at'] as const;
  return (
    kind === 'batch'
      ? db.selectFrom('watched_batches').select(columns).where('workspace_id', '=', tenant)
      : db
          .selectFrom('remote_ids')
          .select(columns)
          .where('workspace_id', '=', tenant)
          .where('kind', 'in', kindsAt(kind, slug))
  ).as('made');
};

/** Reads a page of recorded ids; undefined if `after` is not one of them. */
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
    /** The last id of the previous page. Ids that are created or deleted meanwhile do not shift the page. */
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
  const those = store.db.selectFrom(madeIds(store, tenant, kind, slug)).where('slug', '=', slug);
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
