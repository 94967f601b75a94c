import type { RoutingPlan } from '../../../../schema/plan/plan.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { changedMeanwhile } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';

interface NamedProviders {
  readonly tenant: string;
  readonly overlay: ControlParts['overlay'];
  /** Slugs or ids. */
  readonly names: readonly string[];
}

/** Lists the saved providers and virtual keys that a plan names. */
export const namedProviders = ({ targets }: Pick<RoutingPlan, 'targets'>): readonly string[] => [
  ...new Set(targets.flatMap(({ from }) => (from.kind === 'saved' ? [from.slug] : []))),
];

/** Returns the names that no provider or virtual key of a workspace or of the gateway file has. */
export const missingProviders = async (
  db: Reading,
  { tenant, overlay: { saved }, names }: NamedProviders,
): Promise<readonly string[]> => {
  const stored = names.filter(
    (name) => !Object.hasOwn(saved.providers, name) && !Object.hasOwn(saved.virtualKeys, name),
  );
  if (stored.length === 0) return [];
  const rows = await db
    .selectFrom('providers')
    .select(['id', 'slug'])
    .where('workspace_id', '=', tenant)
    .where((where) => where.or([where('slug', 'in', stored), where('id', 'in', stored)]))
    .execute();
  const known = new Set(rows.flatMap(({ id, slug }) => [id, slug]));
  return stored.filter((name) => !known.has(name));
};

/**
 * Throws the `GatewayError` `conflict` if one of some names was deleted since it was looked up. Deletion refuses records that are
 * in use, but sees only uses that are already written.
 */
export const refuseDeletedProviders = async (db: Reading, named: NamedProviders): Promise<void> => {
  if ((await missingProviders(db, named)).length > 0) throw changedMeanwhile();
};
