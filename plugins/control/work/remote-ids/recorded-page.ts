import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { RemoteKind } from './remote-ids.ts';

export interface RecordedPage {
  /** The newest first. */
  readonly ids: readonly string[];
  readonly hasMore: boolean;
}

/** A part of the ids that were recorded for a workspace in one account. */
export interface RecordedQuery {
  readonly kind: RemoteKind;
  readonly slug: string;
  /** The last id of the page before; ids that are made or forgotten meanwhile move nothing. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A page of ids that were recorded; undefined if `after` is none of them. */
export const recordedPage = async (
  store: Store,
  tenant: TenantId,
  { kind, slug, after, limit }: RecordedQuery,
): Promise<RecordedPage | undefined> => {
  const those = store.db
    .selectFrom('remote_ids')
    .where('workspace_id', '=', tenant)
    .where('kind', '=', kind)
    .where('slug', '=', slug);
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
