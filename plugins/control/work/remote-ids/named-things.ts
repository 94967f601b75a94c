import { sql } from 'kysely';
import type { NamedThing } from '../../../sdk/control-plane/reference-guard.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Store } from '../../kernel/store/store.ts';
import { idSpellings } from './foreign-ids.ts';

interface Made {
  readonly id: string;
  readonly slug: string | null;
  readonly account: string | null;
}

/** Finds what a workspace knows about some ids, as they were named. Uses one statement. */
export const namedThings = async (
  { db }: Pick<Store, 'db'>,
  { tenant, ids }: { readonly tenant: TenantId; readonly ids: readonly string[] },
): Promise<readonly NamedThing[]> => {
  const spellings = ids.map((id) => [id, idSpellings(id)] as const);
  const looked = spellings.flatMap(([, written]) => written);
  if (looked.length === 0) return ids.map((id) => ({ id, account: undefined, slug: undefined }));
  const rows: readonly Made[] = await db
    .selectFrom('responses')
    .select(['id', 'slug', 'account'])
    .where('workspace_id', '=', tenant)
    .where('id', 'in', looked)
    .unionAll(
      db
        .selectFrom('remote_ids')
        .select(['remote_id as id', sql<string | null>`slug`.as('slug'), 'account'])
        .where('workspace_id', '=', tenant)
        .where('remote_id', 'in', looked),
    )
    .execute();
  return spellings.flatMap(([id, written]): readonly NamedThing[] => {
    const made = rows.filter((row) => written.includes(row.id));
    return made.length === 0
      ? [{ id, account: undefined, slug: undefined }]
      : made.map(({ account, slug }) => ({ id, account: account ?? undefined, slug: slug ?? undefined }));
  });
};
