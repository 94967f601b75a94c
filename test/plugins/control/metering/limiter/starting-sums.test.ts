import { expect, it, onTestFinished } from 'vitest';
import type { Reset } from '../../../../../plugins/control/kernel/limits/limit-policy.ts';
import { MemoryLimits } from '../../../../../plugins/control/metering/counters/memory-limits.ts';
import { Ledger } from '../../../../../plugins/control/metering/ledger/open-ledger.ts';
import type { LedgerEntry, PostedCharge } from '../../../../../plugins/control/metering/ledger/posting.ts';
import { startingSums } from '../../../../../plugins/control/metering/limiter/starting-sums.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';
import { temporaryStore } from '../../support/temporary-store.ts';
import { monday, toCharge } from '../ledger/sample-posting.ts';
import { savePolicy } from '../ledger/save-policy.ts';

const day = 86_400_000;
const month = Date.UTC(2026, 0);

/** A ledger that has counted charges, and counters that start from it. */
const counting = async () => {
  const temporary = await temporaryStore();
  onTestFinished(() => temporary[Symbol.asyncDispose]());
  const { store } = temporary;
  const clock = jumpingClock(monday);
  const ledger = new Ledger({ store, clock, say: (text) => expect.fail(text) });
  onTestFinished(() => ledger.close());
  const start = async (charges: readonly PostedCharge[]): Promise<MemoryLimits<LedgerEntry>> => {
    for (const [at, charge] of charges.entries()) {
      ledger.adjust(charge);
      if (at % 1000 === 999) await ledger.flush();
    }
    await ledger.flush();
    const limits = new MemoryLimits<LedgerEntry>({ clock, postings: ledger.behind });
    onTestFinished(() => limits.close());
    limits.load(await startingSums({ store, ledger, now: monday }));
    return limits;
  };
  return { store, start };
};

const readUsed = async (
  limits: MemoryLimits<LedgerEntry>,
  place: { readonly policy: string; readonly bucket: string; readonly reset: Reset },
): Promise<number | undefined> => (await limits.read([{ limit: 100, ...place }]))[0]?.used;

it('counters continue in each period that a limit may be changed to, and not only in the present one', async () => {
  const { store, start } = await counting();
  const policy = await savePolicy(store, { periodic_reset: 'monthly' });
  const own = `${policy}/usage/tokens`;
  const windows = { never: 0, month, monday: monday - 10 * 3_600_000, sunday: monday - 10 * 3_600_000 - day };
  const limits = await start([
    toCharge({ policy, window: windows.never, amount: 3 }),
    toCharge({ policy, window: windows.month, amount: 4 }),
    toCharge({ policy, window: windows.monday, amount: 5 }),
    toCharge({ policy, window: windows.month - 31 * day, amount: 6 }),
    toCharge({ policy: own, window: windows.never, amount: 7 }),
    toCharge({ policy: own, window: windows.sunday, amount: 8 }),
  ]);
  const used = (id: string, every: 'never' | 'month' | 'monday' | 'sunday') =>
    readUsed(limits, { policy: id, bucket: 'ada', reset: { every } });
  expect([await used(policy, 'never'), await used(policy, 'month'), await used(policy, 'monday')]).toEqual([3, 4, 5]);
  expect([await used(own, 'never'), await used(own, 'sunday'), await used(own, 'month')]).toEqual([7, 8, 0]);
});

it('a counter that several buckets share takes no place of another one', async () => {
  const { store, start } = await counting();
  const policy = await savePolicy(store);
  const named = Array.from({ length: 10_000 }, (_, at) => `user ${at}`);
  const limits = await start(['*', ...named].map((bucket) => toCharge({ policy, bucket, amount: 2 })));
  const reset = { every: 'never' } as const;
  expect(await readUsed(limits, { policy, bucket: '*', reset })).toBe(2);
  for (const bucket of ['user 0', 'user 9999']) expect(await readUsed(limits, { policy, bucket, reset })).toBe(2);
  const [last] = await limits.read([{ policy, bucket: 'user 9999', limit: 100, reset }]);
  expect(last?.bucket).toBe('user 9999');
});
