import type { Acting } from '../saved/acting.ts';
import { countOf, isStorable, type Listed, type Part, partOf, type Reading } from '../saved/records.ts';
import type { Store, Writing } from '../store/store.ts';
import type { GuardrailRow } from '../store/tables.ts';

/** Those of a workspace, and those of its organisation. */
const inSight = (db: Reading, { tenant, organisation }: Acting) =>
  db
    .selectFrom('guardrails')
    .where('organisation_id', '=', organisation)
    .where((where) => where.or([where('workspace_id', '=', tenant), where('workspace_id', 'is', null)]));

/** The guardrail in sight that an id or a slug names: an id is looked for first, then the workspace's own. */
export const findGuardrail = async (db: Reading, acting: Acting, name: string): Promise<GuardrailRow | undefined> => {
  if (!isStorable(name)) return undefined;
  const rows = await inSight(db, acting)
    .selectAll()
    .where((where) => where.or({ id: name, slug: name }))
    .execute();
  return rows.find(({ id }) => id === name) ?? rows.find(({ workspace_id }) => workspace_id !== null) ?? rows[0];
};

/** Those of some names that are neither the slug nor the id of a guardrail in sight. */
export const missingGuardrails = async (
  db: Reading,
  acting: Acting,
  names: readonly string[],
): Promise<readonly string[]> => {
  if (names.length === 0) return [];
  const rows = await inSight(db, acting)
    .select(['id', 'slug'])
    .where((where) => where.or([where('slug', 'in', names), where('id', 'in', names)]))
    .execute();
  const there = new Set(rows.flatMap(({ id, slug }) => [id, slug]));
  return names.filter((name) => !there.has(name));
};

/** The guardrails in sight, the newest first. */
export const listGuardrails = (db: Reading, acting: Acting, part: Part): Promise<Listed<GuardrailRow>> =>
  partOf(inSight(db, acting).selectAll().orderBy('id', 'desc'), part);

/** Whose guardrail it is, as the version of their plans counts it. */
const ownerOf = ({ workspace_id, organisation_id }: GuardrailRow): string => workspace_id ?? organisation_id;

/**
 * Whether a slug is taken where a new guardrail would have it: a workspace and its organisation share their names, so that
 * one name is one guardrail for every config.
 */
export const isSlugTaken = async (
  db: Reading,
  { slug, workspace_id, organisation_id }: Pick<GuardrailRow, 'slug' | 'workspace_id' | 'organisation_id'>,
): Promise<boolean> => {
  const rows = await db
    .selectFrom('guardrails')
    .select('workspace_id')
    .where('organisation_id', '=', organisation_id)
    .where('slug', '=', slug)
    .execute();
  return rows.some((row) => workspace_id === null || row.workspace_id === null || row.workspace_id === workspace_id);
};

export const countGuardrails = (
  db: Reading,
  { workspace_id, organisation_id }: Pick<GuardrailRow, 'workspace_id' | 'organisation_id'>,
): Promise<number> =>
  countOf(
    db
      .selectFrom('guardrails')
      .where('organisation_id', '=', organisation_id)
      .where('workspace_id', workspace_id === null ? 'is' : '=', workspace_id),
  );

export const insertGuardrail = async (store: Store, writing: Writing, row: GuardrailRow): Promise<void> => {
  await writing.insertInto('guardrails').values(row).execute();
  await store.bump(writing, 'plans', ownerOf(row));
};

export const replaceGuardrail = async (store: Store, writing: Writing, row: GuardrailRow): Promise<void> => {
  const { name, checks, actions, sealed, updated_at } = row;
  await writing
    .updateTable('guardrails')
    .set({ name, checks, actions, sealed, updated_at })
    .where('organisation_id', '=', row.organisation_id)
    .where('id', '=', row.id)
    .execute();
  await store.bump(writing, 'plans', ownerOf(row));
};

export const deleteGuardrail = async (store: Store, writing: Writing, row: GuardrailRow): Promise<void> => {
  await writing
    .deleteFrom('guardrails')
    .where('organisation_id', '=', row.organisation_id)
    .where('id', '=', row.id)
    .execute();
  await store.bump(writing, 'plans', ownerOf(row));
};
