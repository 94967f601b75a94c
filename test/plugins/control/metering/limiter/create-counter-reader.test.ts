import { expect, it } from 'vitest';
import type { PostedCharge } from '../../../../../plugins/control/metering/ledger/posting.ts';
import { LedgerCounterReader } from '../../../../../plugins/control/metering/limiter/create-counter-reader.ts';
import { temporaryStore } from '../../support/temporary-store.ts';
import { limitPolicy } from './support/limiter-world.ts';

it('resets a counter in the window that the counters report, even if this clock is in another one', async () => {
  await using temporary = await temporaryStore();
  const adjusted: PostedCharge[] = [];
  const reader = new LedgerCounterReader({
    store: temporary.store,
    // The counters are already in the next minute.
    limits: { read: async () => [], reset: async () => ({ used: 7, window: 120_000 }) },
    ledger: { adjust: (charge) => adjusted.push(charge), flush: async () => undefined },
    now: () => 119_999,
  });
  const policy = limitPolicy({ limit: 10, reset: { every: 'minute' } });
  await reader.reset(policy, 'a');
  expect(adjusted).toEqual([{ policy: policy.id, bucket: 'a', unit: policy.unit, amount: -7, window: 120_000 }]);
});
