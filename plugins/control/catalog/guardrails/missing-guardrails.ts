import type { Reading } from '../../kernel/records/records.ts';
import type { RequestScope } from '../../kernel/requests/request-scope.ts';

/** Those of a workspace, and those of its organisation. */
const inSight = (db: Reading, { tenant, organisation }: RequestScope) =>
  db
    .selectFrom('guardrails')
    .where('organisation_id', '=', organisation)
    .where((where) => where.or([where('workspace_id', '=', tenant), where('workspace_id', 'is', null)]));

/** Those of some names that are neither the slug nor the id of a guardrail in sight. */
export const missingGuardrails = async (
  db: Reading,
  requestScope: RequestScope,
  names: readonly string[],
): Promise<readonly string[]> => {
  if (names.length === 0) return [];
  const rows = await inSight(db, requestScope)
    .select(['id', 'slug'])
    .where((where) => where.or([where('slug', 'in', names), where('id', 'in', names)]))
    .execute();
  const known = new Set(rows.flatMap(({ id, slug }) => [id, slug]));
  return names.filter((name) => !known.has(name));
};
