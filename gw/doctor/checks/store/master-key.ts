import { existsSync } from 'node:fs';
import { masterOfCanary } from '../../../../plugins/control/kernel/secrets/canary.ts';
import { findMasterKeys, lostKeyText, withMasterKey } from '../../../../plugins/control/kernel/secrets/master-key.ts';
import { UnknownMasterError } from '../../../../plugins/control/kernel/secrets/seal.ts';
import { besideStore, type StoreUrl } from '../../../../plugins/control/kernel/store/open/open-store.ts';
import { findMasterKey } from '../../../../runtime/cli/settings/control-settings.ts';
import { type Finding, splitAdvice } from '../../set-up/finding.ts';
import type { SetUp } from '../../set-up/set-up.ts';
import { isSentence, storeFailure } from './find-store.ts';
import { sealedFindings } from './sealed-secrets.ts';
import type { StoreLook } from './sqlite-store.ts';

const noKey = (where: string): Finding => ({
  severity: 'warning',
  subject: where,
  what: 'There is no master key, so no credential can be saved in the store.',
  remedy: 'Set GW_MASTER_KEY, or "store.master_key" of the gateway file, to 32 random bytes: openssl rand -base64 32',
});

/** The sealed parts of a store: the proof of its master key, and its secrets. */
type SealedParts = Pick<StoreLook, 'canary' | 'sealed'>;

/** Finds the master key as the gateway would, without creating one, and verifies that it decrypts what the store contains. */
export const masterKeyFindings = async (
  { settings, secrets, env, cwd, timeoutMs }: SetUp,
  at: StoreUrl,
  { canary, sealed = {} }: SealedParts,
): Promise<readonly Finding[]> => {
  const { where } = at;
  const ownFile = at.kind === 'sqlite' ? besideStore(at, '.key', cwd) : undefined;
  const hasOwnFile = ownFile !== undefined && existsSync(ownFile);
  try {
    const variables = withMasterKey(env, findMasterKey(settings, secrets));
    const keys = Object.values(await findMasterKeys(variables, hasOwnFile ? ownFile : undefined, timeoutMs));
    const ring = new Map(keys.map((key) => [key.id, key]));
    if (canary !== undefined) masterOfCanary(canary, ring);
    // A gateway creates the key of a file that does not exist yet.
    else if (keys.length === 0 && ownFile === undefined) return [noKey(where)];
    return sealedFindings(sealed, ring, where);
  } catch (error) {
    if (!isSentence(error)) throw error;
    const finding = storeFailure(error, where);
    if (!(error instanceof UnknownMasterError) || ownFile === undefined || hasOwnFile) return [finding];
    const { remedy } = splitAdvice(lostKeyText(ownFile, false));
    return [{ ...finding, remedy: `${finding.remedy} ${remedy}` }];
  }
};
