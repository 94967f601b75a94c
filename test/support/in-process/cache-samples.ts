import { createHash } from 'node:crypto';
import type { CacheEntry, CacheKey } from '../../../plugins/sdk/cache/cache.ts';
import { neverCancelled } from '../../../plugins/testkit/route/cancellation.ts';
import { toTenant } from './sample-exchange.ts';

/** Creates a key from a name. */
export const sampleKey = (name: string, tenant = 'tenant'): CacheKey => ({
  id: createHash('sha256').update(name).digest('hex'),
  scope: 'scope',
  request: {
    tenant: toTenant(tenant),
    operation: 'converse',
    dialect: 'chat',
    body: () => undefined,
    cancellation: neverCancelled,
  },
});

/** Creates an entry with this body. */
export const cacheEntry = (body: Uint8Array | string): CacheEntry => ({
  headers: ['content-type', 'application/json'],
  body: Buffer.from(body),
  isStream: false,
  storedAt: 0,
});
