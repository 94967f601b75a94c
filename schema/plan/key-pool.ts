import type { Json } from '../json/json.ts';
import { maxOtherKeys } from './key-cooling.ts';
import type { KeyPool, SecretRef, Target } from './plan.ts';

/** The plan feature of a target with several keys: a gateway that does not know it would call without any. */
export const keyPoolFeature = 'key-pool';

/** The plan features that the credential of a target requires. */
export const credentialFeatures = ({ credential }: Pick<Target, 'credential'>): readonly string[] =>
  credential?.kind === 'keys' ? [keyPoolFeature] : [];

/**
 * Says which pool the keys of a target are, without saying which keys it has now: state that is kept under this name outlasts keys that
 * are added or taken away. A saved provider is known by its name, or by its record in a store; another pool by where its
 * first key is. A key that is written out has no name here.
 */
export const poolName = ({ from }: Pick<Target, 'from'>, { keys: [first] }: KeyPool): Json => {
  const { apiKey } = first;
  if (apiKey.kind === 'slot') return { key: null };
  const [, record] = /^\$\{saved:([^/]+\/[^/]+)\//.exec(apiKey.ref) ?? [];
  if (record !== undefined) return { record };
  if (from.kind === 'saved') return { slug: from.slug };
  return { provider: from.kind === 'inline' ? from.provider : from.kind, ref: apiKey.ref };
};

/** The references to the keys of a target that has several. */
export const poolKeyRefs = ({ credential }: Pick<Target, 'credential'>): readonly SecretRef[] =>
  credential?.kind === 'keys'
    ? credential.keys.flatMap(({ apiKey }) => (apiKey.kind === 'reference' ? [apiKey.ref] : []))
    : [];

/** The most attempts that a target makes of one: with its key, and then with others at once. */
export const maxAttemptsOfOne = ({ credential }: Pick<Target, 'credential'>): number => {
  if (credential?.kind !== 'keys') return 1;
  const used = credential.keys.filter(({ weight }) => weight > 0).length;
  return 1 + Math.min(used - 1, maxOtherKeys);
};
