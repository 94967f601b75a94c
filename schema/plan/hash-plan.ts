import { type ContentHash, hashValue } from '../json/canonical.ts';
import { poolName } from './key-pool.ts';
import type { RoutingPlan, SecretValue, Stage, Target } from './plan.ts';

/** The hash of a plan: over everything but its name, its sources and the hash itself. */
export const hashPlan = ({ name: _name, hash: _hash, sources: _sources, ...content }: HashedPlan): ContentHash =>
  hashValue(content);

/** A plan that may not have its hash yet. */
export type HashedPlan = Omit<RoutingPlan, 'hash'> & { readonly hash?: ContentHash };

/** The slot of a caller's secret depends on its neighbours, so it is not part of a leaf's identity. */
const withoutSlots = (secrets: { readonly [place: string]: SecretValue }): unknown =>
  Object.entries(secrets).map(([place, secret]) => [place, secret.kind === 'slot' ? 'slot' : secret]);

/** Nor are the keys of a pool: a leaf is the same when one is added. */
const credentialOf = ({ from, credential }: Pick<Target, 'from' | 'credential'>): unknown => {
  if (credential?.kind === 'fields') return { ...credential, fields: withoutSlots(credential.fields) };
  return credential?.kind === 'keys' ? { ...credential, keys: poolName({ from }, credential) } : credential;
};

const stageWithoutSlots = (stage: Stage): unknown => {
  if (stage.kind !== 'input-checks' && stage.kind !== 'output-checks') return stage;
  const hooks = stage.hooks.map((hook) => ({
    ...hook,
    checks: hook.checks.map(({ secrets, ...check }) =>
      secrets === undefined ? check : { ...check, secrets: withoutSlots(secrets) },
    ),
  }));
  return { ...stage, hooks };
};

/** The key of a leaf's state across plans: what it calls (by whatever name), and its stages. */
export const hashLeaf = ({ id: _id, credential, ...target }: Target, stages: readonly Stage[]): ContentHash =>
  hashValue({ target, credential: credentialOf({ ...target, credential }), stages: stages.map(stageWithoutSlots) });
