import type { TenantId } from '../../plugins/sdk/exchange.ts';
import type { Credential } from '../../plugins/sdk/provider.ts';
import { type ContentHash, hashOf } from '../../schema/canonical.ts';
import type { StateKey } from '../ports/breakers.ts';

/** Tells credentials apart without saying them: 16 hexadecimal digits of a SHA-256. */
export const credentialFingerprint = (credential: Credential | null): string =>
  hashOf(credential).slice('sha256:'.length, 'sha256:'.length + 16);

/** Whose state a leaf's is. No other function makes a key, so that no state crosses tenants or credentials. */
export const toStateKey = (tenant: TenantId, leaf: ContentHash, fingerprint: string): StateKey =>
  // The brand is given here and nowhere else.
  `${leaf} ${fingerprint} ${tenant}` as StateKey;
