import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import { type ContentHash, hashValue } from '../../../schema/json/canonical.ts';
import type { CircuitName } from '../../../schema/trail/circuit-name.ts';
import type { StateKey } from '../../ports/breakers.ts';

/** Distinguishes secret values without revealing them: 16 hexadecimal digits of a SHA-256. */
export const toFingerprint = (value: unknown): string =>
  hashValue(value).slice('sha256:'.length, 'sha256:'.length + 16);

/** The owner of a circuit. */
export interface StateOwner {
  readonly tenant: TenantId;
  /** The leaf; absent for a credential, whose circuit leaves share. */
  readonly leaf?: ContentHash;
  /** The `circuitOwner` of the target; for a credential its `credentialOwner`. */
  readonly owner: string;
  readonly of?: CircuitName;
}

const nameText = ({ kind, model }: CircuitName): string =>
  model === undefined ? `${kind} ` : `${kind} ${JSON.stringify(model)} `;

/** The key of a circuit's state. No other function makes keys, so that no state is shared across tenants or owners. */
export const toStateKey = ({ tenant, leaf, owner, of }: StateOwner): StateKey =>
  // The brand is given in this file and nowhere else.
  `${leaf ?? ''} ${owner} ${of === undefined ? '' : nameText(of)}${tenant}` as StateKey;

/** The key of the state of a pool of keys, of a tenant and `fingerprint`. */
export const toPoolKey = (tenant: TenantId, fingerprint: string): StateKey =>
  `keys ${fingerprint} ${tenant}` as StateKey;

/** The scope of a provider's bound values, which says nothing about the credential. `maker` is what `stateScope` gives. */
export const scopeName = (maker: string): string => hashValue(maker).slice('sha256:'.length, 'sha256:'.length + 12);
