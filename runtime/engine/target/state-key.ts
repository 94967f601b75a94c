import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import { type ContentHash, hashValue } from '../../../schema/json/canonical.ts';
import type { CircuitName } from '../../../schema/trail/circuit-name.ts';
import type { StateKey } from '../../ports/breakers.ts';

/** Returns a fingerprint that distinguishes secret values without revealing them: 16 hexadecimal digits of a SHA-256. */
export const toFingerprint = (value: unknown): string =>
  hashValue(value).slice('sha256:'.length, 'sha256:'.length + 16);

/** The owner of a circuit. */
export interface StateOwner {
  readonly tenant: TenantId;
  /** The leaf. Absent for a credential's circuit, which leaves share. */
  readonly leaf?: ContentHash;
  /** The `circuitOwner` of the target, or the `credentialOwner` for a credential. */
  readonly owner: string;
  readonly of?: CircuitName;
}

const nameText = ({ kind, model }: CircuitName): string =>
  model === undefined ? `${kind} ` : `${kind} ${JSON.stringify(model)} `;

/**
 * Returns the key of a circuit's state. No other function creates such keys, so that no state is shared across tenants or owners.
 */
export const toStateKey = ({ tenant, leaf, owner, of }: StateOwner): StateKey =>
  // The brand is assigned only in this file.
  `${leaf ?? ''} ${owner} ${of === undefined ? '' : nameText(of)}${tenant}` as StateKey;

/** Returns the key of a key pool's state, for a tenant and a `fingerprint`. */
export const toPoolKey = (tenant: TenantId, fingerprint: string): StateKey =>
  `keys ${fingerprint} ${tenant}` as StateKey;

/**
 * Returns the scope of a provider's bound values, which reveals nothing about the credential. `maker` is the result of
 * `stateScope`.
 */
export const scopeName = (maker: string): string => hashValue(maker).slice('sha256:'.length, 'sha256:'.length + 12);
