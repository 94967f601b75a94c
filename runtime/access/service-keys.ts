import { createHash, timingSafeEqual } from 'node:crypto';
import type { Principal, Priority, TenantId } from '../../plugins/sdk/exchange/exchange.ts';

/** One service key. `key` is the resolved secret itself. */
export interface ServiceKey {
  readonly id: string;
  readonly key: string;
  /** The tenant whose state its requests share. Default: its id. */
  readonly tenant?: string;
  /** The highest priority of its requests. Default: `normal`. */
  readonly priority?: Priority;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns a function that finds the holder of a key of the gateway file. It takes the same time for every key, valid or not. */
export const serviceKeys = (keys: readonly ServiceKey[]): ((presented: string) => Principal | undefined) => {
  const known = keys.map(({ id, key, tenant = id, priority }) => ({
    digest: digest(key),
    // Tenants come only from the gateway file.
    principal: {
      tenant: tenant as TenantId,
      keyId: id,
      ...(priority === undefined ? {} : { defaults: { priority } }),
    },
  }));
  return (presented) => {
    const asked = digest(presented);
    let found: Principal | undefined;
    for (const candidate of known) if (timingSafeEqual(candidate.digest, asked)) found ??= candidate.principal;
    return found;
  };
};
