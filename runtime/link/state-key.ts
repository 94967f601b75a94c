import type { TenantId } from '../../plugins/sdk/exchange.ts';
import type { Credential } from '../../plugins/sdk/provider.ts';
import { type ContentHash, hashOf } from '../../schema/canonical.ts';
import type { StateKey } from '../ports/breakers.ts';

/** Distinguishes credentials without revealing them: 16 hexadecimal digits of a SHA-256. */
export const credentialFingerprint = (credential: Credential | null): string =>
  hashOf(credential).slice('sha256:'.length, 'sha256:'.length + 16);

/** The key of a leaf's state. No other function makes keys, so that no state is shared across tenants or credentials. */
export const toStateKey = (tenant: TenantId, leaf: ContentHash, fingerprint: string): StateKey =>
  // The brand is given here and nowhere else.
  `${leaf} ${fingerprint} ${tenant}` as StateKey;

/** The scope of a provider's bound values, which says nothing about the credential. `maker` is what `stateScope` gives. */
export const scopeName = (maker: string): string => hashOf(maker).slice('sha256:'.length, 'sha256:'.length + 12);
