import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import { type ContentHash, hashValue } from '../../../schema/json/canonical.ts';
import type { StateKey } from '../../ports/breakers.ts';

/** Distinguishes secret values without revealing them: 16 hexadecimal digits of a SHA-256. */
export const toFingerprint = (value: unknown): string =>
  hashValue(value).slice('sha256:'.length, 'sha256:'.length + 16);

/**
 * The key of a leaf's state. No other function makes keys, so that no state is shared across tenants or owners. `owner` is
 * the `circuitOwner` of the target.
 */
export const toStateKey = (tenant: TenantId, leaf: ContentHash, owner: string): StateKey =>
  // The brand is given in this file and nowhere else.
  `${leaf} ${owner} ${tenant}` as StateKey;

/** The key of the state of a pool of keys, of a tenant and `fingerprint`. */
export const toPoolKey = (tenant: TenantId, fingerprint: string): StateKey =>
  `keys ${fingerprint} ${tenant}` as StateKey;

/** The scope of a provider's bound values, which says nothing about the credential. `maker` is what `stateScope` gives. */
export const scopeName = (maker: string): string => hashValue(maker).slice('sha256:'.length, 'sha256:'.length + 12);
