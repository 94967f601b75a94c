import { type ContentHash, hashValue } from '../json/canonical.ts';
import type { Json } from '../json/json.ts';
import type { KeyPool, RoutingPlan, SecretValue, Stage, Target } from './plan.ts';
import { isCheckStage } from './stages.ts';

/** Returns the hash of a plan, over everything except its name, its sources and the hash itself. */
export const hashPlan = ({ name: _name, hash: _hash, sources: _sources, ...content }: HashedPlan): ContentHash =>
  hashValue(content);

/** A plan that may not have its hash yet. */
export type HashedPlan = Omit<RoutingPlan, 'hash'> & { readonly hash?: ContentHash };

const longestName = 120;

/** Returns `name@hash` for `x-gw-plan`, with the name percent-encoded and twelve digits of the hash. */
export const planLabel = ({ name, hash }: Pick<RoutingPlan, 'name' | 'hash'>): string =>
  `${encodeURIComponent(name.toWellFormed()).slice(0, longestName)}@${hash.slice('sha256:'.length, 'sha256:'.length + 12)}`;

/** Whether a label in a log or a response (`name@hash` with a shortened hash) is that of a plan. */
export const isPlanLabel = (label: string, { hash }: Pick<RoutingPlan, 'hash'>): boolean => {
  const cut = label.split('@').at(-1) ?? '';
  return cut !== '' && hash.startsWith(`sha256:${cut}`);
};

/** The slot of a caller's secret depends on its neighbours, so it is not part of a leaf's identity. */
const withoutSlots = (secrets: { readonly [place: string]: SecretValue }): unknown =>
  Object.entries(secrets).map(([place, secret]) => [place, secret.kind === 'slot' ? 'slot' : secret]);

/**
 * Identifies the key pool of a target independently of its current keys, so that state under this name survives when keys are
 * added or removed. A saved provider is identified by its name, or by its record in a store; any other pool by the reference of
 * its first key. A literal key has no name here.
 */
export const poolName = ({ from }: Pick<Target, 'from'>, { keys: [first] }: KeyPool): Json => {
  const { apiKey } = first;
  if (apiKey.kind === 'slot') return { key: null };
  const [, record] = /^\$\{saved:([^/]+\/[^/]+)\//.exec(apiKey.ref) ?? [];
  if (record !== undefined) return { record };
  if (from.kind === 'saved') return { slug: from.slug };
  return { provider: from.kind === 'inline' ? from.provider : from.kind, ref: apiKey.ref };
};

/** The keys of a pool are not part of a leaf's identity either: a leaf stays the same when a key is added. */
const credentialOf = ({ from, credential }: Pick<Target, 'from' | 'credential'>): unknown => {
  if (credential?.kind === 'fields') return { ...credential, fields: withoutSlots(credential.fields) };
  return credential?.kind === 'keys' ? { ...credential, keys: poolName({ from }, credential) } : credential;
};

const stageWithoutSlots = (stage: Stage): unknown => {
  if (!isCheckStage(stage)) return stage;
  const hooks = stage.hooks.map((hook) => ({
    ...hook,
    checks: hook.checks.map(({ secrets, ...check }) =>
      secrets === undefined ? check : { ...check, secrets: withoutSlots(secrets) },
    ),
  }));
  return { ...stage, hooks };
};

/** Returns the key of a leaf's state across plans: what it calls (under any name), and its stages. */
export const hashLeaf = ({ id: _id, credential, ...target }: Target, stages: readonly Stage[]): ContentHash =>
  hashValue({ target, credential: credentialOf({ ...target, credential }), stages: stages.map(stageWithoutSlots) });
