import type { LimitPolicy, PolicyCondition } from '../../kernel/limits/limit-policy.ts';
import { inChunks } from '../../kernel/store/rows/in-chunks.ts';
import type { Store } from '../../kernel/store/store.ts';

/** A policy and the workspace that it is of. */
export interface PolicyOf {
  readonly tenant: string;
  readonly policy: LimitPolicy;
}

const namesIn = ({ key, values, excludes }: PolicyCondition): readonly string[] =>
  key === 'config' ? [...values, ...excludes] : [];

/** Ids of saved records are UUIDs; a text of another form is not looked up. */
const isId = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

/**
 * Policies whose conditions name configs by id name them by slug as well, which is what requests say. A config has its slug for
 * ever, so that this is right until the policy changes; an id of another workspace names nothing.
 */
export const withConfigSlugs = async (db: Store['db'], policies: readonly PolicyOf[]): Promise<readonly PolicyOf[]> => {
  const ids = new Set(policies.flatMap(({ policy: { conditions } }) => conditions.flatMap(namesIn)).filter(isId));
  if (ids.size === 0) return policies;
  const configs = await inChunks([...ids], (some) =>
    db.selectFrom('configs').select(['workspace_id', 'id', 'slug']).where('id', 'in', some).execute(),
  );
  const slugs = new Map(configs.map(({ workspace_id, id, slug }) => [`${workspace_id} ${id}`, slug]));
  return policies.map(({ tenant, policy }) => {
    const named = (names: readonly string[]): readonly string[] =>
      names.flatMap((name) => {
        const slug = slugs.get(`${tenant} ${name}`);
        return slug === undefined ? [name] : [name, slug];
      });
    const conditions = policy.conditions.map(({ key, values, excludes }) =>
      key === 'config' ? { key, values: named(values), excludes: named(excludes) } : { key, values, excludes },
    );
    return { tenant, policy: { ...policy, conditions } };
  });
};
