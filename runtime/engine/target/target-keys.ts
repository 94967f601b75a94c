import type { Credential } from '../../../plugins/sdk/provider/provider.ts';
import { poolName } from '../../../schema/plan/key-pool.ts';
import type { KeyPool, Target } from '../../../schema/plan/plan.ts';
import type { PreparedTarget, TargetKeys } from './prepared-target.ts';
import { toFingerprint } from './state-key.ts';
import { type CredentialSources, secretText } from './to-credential.ts';

/** A credential of one key. */
const toKeyCredential = (apiKey: string | undefined): Credential => ({ api_key: apiKey });

/** Stands for the keys of a pool. A key that a text has itself is known by its value: another text may have another in its place. */
export const poolFingerprint = (target: Target, pool: KeyPool, first: string | undefined): string =>
  toFingerprint(pool.keys[0].apiKey.kind === 'slot' ? toKeyCredential(first) : { pool: poolName(target, pool) });

/** Reads the keys of a target; `prepare` prepares it with one of them. */
export const readKeys = (
  target: Target,
  { pool, sources }: { readonly pool: KeyPool; readonly sources: CredentialSources },
  prepare: (key: number, credential: Credential, keys: TargetKeys) => PreparedTarget,
): TargetKeys => {
  const values = pool.keys.map(({ apiKey }) => secretText(apiKey, sources));
  const prepared: PreparedTarget[] = [];
  const keys: TargetKeys = {
    fingerprint: poolFingerprint(target, pool, values[0]),
    keys: pool.keys,
    areSeveral: pool.accounts === 'several',
    secrets: Object.fromEntries(values.entries()),
    target(key) {
      const known = prepared[key];
      if (known !== undefined) return known;
      const made = prepare(key, toKeyCredential(values[key]), keys);
      prepared[key] = made;
      return made;
    },
  };
  return keys;
};

/** The key whose account has what a provider keeps, where keys are of several accounts: the first that is used. */
export const firstUsedKey = ({ keys }: Pick<TargetKeys, 'keys'>): number =>
  Math.max(
    0,
    keys.findIndex(({ weight }) => weight > 0),
  );
