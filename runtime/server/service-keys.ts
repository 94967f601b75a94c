import { createHash, timingSafeEqual } from 'node:crypto';
import type { Principal, TenantId } from '../../plugins/sdk/exchange.ts';

/** One key that opens the gateway; `key` is the secret itself, resolved. */
export interface ServiceKey {
  readonly id: string;
  readonly key: string;
  /** Whose state its requests share; its id where absent. */
  readonly tenant?: string;
}

/** Who holds a key. Takes the same time whether and wherever a key matches. */
export type Identify = (presented: string) => Principal | undefined;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export const serviceKeys = (keys: readonly ServiceKey[]): Identify => {
  const known = keys.map(({ id, key, tenant = id }) => ({
    digest: digest(key),
    // Tenants come from the gateway file and from nowhere else.
    principal: { tenant: tenant as TenantId, keyId: id },
  }));
  return (presented) => {
    const asked = digest(presented);
    let found: Principal | undefined;
    for (const candidate of known) if (timingSafeEqual(candidate.digest, asked)) found ??= candidate.principal;
    return found;
  };
};
