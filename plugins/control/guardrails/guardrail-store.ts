import type { Acting } from '../saved/acting.ts';
import type { Store, Writing } from '../store/store.ts';
import type { GuardrailRow } from '../store/tables.ts';

type Reading = Pick<Writing, 'selectFrom'>;

/** Those of a workspace, and those of its organisation. */
const inSight = (db: Reading, { tenant, organisation }: Acting) =>
  db
    .selectFrom('guardrails')
    .where('organisation_id', '=', organisation)
    .where((where) => where.or([where('workspace_id', '=', tenant), where('workspace_id', 'is', null)]));

/** The guardrail in sight that an id or a slug names: an id is looked for first, then the workspace's own. */
export const findGuardrail = async (db: Reading, acting: Acting, name: string): Promise<GuardrailRow | undefined> => {
  // No text in the store has it, and PostgreSQL refuses it.
  if (name.includes('\u0000')) return undefined;
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

/** The guardrails in sight, the newest first, and how many there are. */
export const listGuardrails = async (
  db: Reading,
  acting: Acting,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly total: number; readonly rows: readonly GuardrailRow[] }> => {
  const { total } = await inSight(db, acting)
    .select((select) => select.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await inSight(db, acting).selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { total: Number(total), rows };
};

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

export const countGuardrails = async (
  db: Reading,
  { workspace_id, organisation_id }: Pick<GuardrailRow, 'workspace_id' | 'organisation_id'>,
): Promise<number> => {
  const { total } = await db
    .selectFrom('guardrails')
    .select((select) => select.fn.countAll().as('total'))
    .where('organisation_id', '=', organisation_id)
    .where('workspace_id', workspace_id === null ? 'is' : '=', workspace_id)
    .executeTakeFirstOrThrow();
  return Number(total);
};

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
