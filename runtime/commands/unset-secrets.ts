import type { Saved, SavedProvider } from '../../schema/saved.ts';
import { isSecretRef, type SecretReader } from './secret-reader.ts';

const missingOf = (saved: Saved['providers'], member: string, read: SecretReader): readonly string[] =>
  Object.entries(saved).flatMap(([name, { credential = {} }]: readonly [string, SavedProvider]) =>
    Object.values(credential)
      .filter((ref) => isSecretRef(ref) && read(ref) === undefined)
      .map((ref) => `"${name}" of "${member}" refers to ${ref}, which is not set.`),
  );

/** What saved providers and virtual keys refer to in vain, a sentence each. They are looked at when they are used. */
export const unsetSecrets = ({ providers, virtualKeys }: Saved, read: SecretReader): readonly string[] => [
  ...missingOf(providers, 'providers', read),
  ...missingOf(virtualKeys, 'virtual_keys', read),
];
