import { expect, it } from 'vitest';
import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { chooserOutcome } from '../../../../runtime/engine/load-balancing/chooser-outcome.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';

const response = (more: Partial<GatewayResponse>): GatewayResponse => ({
  ...{ status: 200, headers: ['Retry-After', '7'], origin: 'upstream' },
  body: { kind: 'bytes', bytes: new Uint8Array() },
  ...more,
});

const leaf = { path: rootPointer, provider: 'openai', retries: 0 };

it('reports to a chooser how an upstream answered, or that it did not', () => {
  const heard = chooserOutcome(response({ status: 429 }), 12);
  expect(heard).toMatchObject({ status: 429, origin: 'upstream', answeredMs: 12 });
  expect(heard?.header('retry-after')).toBe('7');
  expect(chooserOutcome(response({ status: 502, origin: 'network', cause: 'connection-failed' }), 1)).toBeDefined();
  expect(chooserOutcome(response({ status: 408, origin: 'timeout', cause: 'request-timeout' }), 1)).toBeDefined();
  expect(chooserOutcome(response({ leaf: { ...leaf, cache: 'MISS' } }), 1)).toBeDefined();
});

it.each<Partial<GatewayResponse>>([
  { origin: 'check' },
  { origin: 'limit' },
  { origin: 'gateway' },
  { origin: 'cache' },
  { origin: 'network', cause: 'pool-full' },
  { origin: 'timeout', cause: 'deadline-exceeded' },
])('reports nothing to a chooser if no target is to blame: %o', (more) => {
  expect(chooserOutcome(response(more), 1)).toBeUndefined();
});
