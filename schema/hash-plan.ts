import { type ContentHash, hashOf } from './canonical.ts';
import type { CredentialRef, RoutingPlan, Stage, Target } from './plan.ts';

/** The hash of a plan: over everything but its name, its sources and the hash itself. */
export const hashPlan = ({ name: _name, hash: _hash, sources: _sources, ...content }: HashedPlan): ContentHash =>
  hashOf(content);

/** A plan that may not have its hash yet. */
export type HashedPlan = Omit<RoutingPlan, 'hash'> & { readonly hash?: ContentHash };

/** The slot of a caller's secret depends on its neighbours, so it is not part of a leaf's identity. */
const withoutSlots = (credential: CredentialRef | null): unknown => {
  if (credential?.kind !== 'fields') return credential;
  const fields = Object.entries(credential.fields);
  return { ...credential, fields: fields.map(([field, secret]) => [field, secret.kind === 'slot' ? 'slot' : secret]) };
};

/** The key of a leaf's state across plans: what it calls (by whatever name), and its stages. */
export const hashLeaf = ({ id: _id, credential, ...target }: Target, stages: readonly Stage[]): ContentHash =>
  hashOf({ target, credential: withoutSlots(credential), stages });
