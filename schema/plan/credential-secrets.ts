import type { CredentialRef, SecretValue } from './plan.ts';

/** The secrets of a target's own credential; none of one that a request brings. */
export const credentialSecrets = (credential: CredentialRef | null): readonly SecretValue[] => {
  switch (credential?.kind) {
    case 'fields':
      return Object.values(credential.fields);
    case 'keys':
      return credential.keys.map(({ apiKey }) => apiKey);
    case 'request':
    case undefined:
      return [];
  }
};
