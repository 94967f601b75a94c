import { describe, expect, it, onTestFinished } from 'vitest';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { correctionId } from '../../../../../plugins/control/metering/counters/limits.ts';
import { counterSums, pruneLedger } from '../../../../../plugins/control/metering/ledger/ledger-store.ts';
import { LedgerWriter } from '../../../../../plugins/control/metering/ledger/ledger-writer.ts';
import { readMakeStore } from '../../../../support/gateways/older-store.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';
import { databases, urls } from './databases.ts';
import { monday, postAll, toCharge, toEntry, toPosting, toUsage } from './sample-posting.ts';
import { savePolicy } from './save-policy.ts';

/** The last migration with a row for each charge. */
const earlier = 13;

const [estimated, reported, charged] = [newId(monday), newId(monday), newId(monday)];

const row = {
  ...{ at: monday, trace: 'trace', organisation_id: 'organisation', workspace_id: 'workspace', key_id: 'key' },
  ...{ config: 'prod', prompt: null, provider: 'openai', slug: null, model: 'gpt-4o', answered_model: 'gpt-4o' },
  ...{ tier: null, requests: 1, attempts: 1, input_tokens: 100, cache_read_tokens: 0, cache_write_tokens: 0 },
  ...{ audio_tokens: 0, output_tokens: 20, reasoning_tokens: 0, nano_usd: 1000, prices: 'genai-prices' },
  ...{ metadata: '{"_user":"ada"}', corrects: null },
};
const charge = { number: 0, at: monday, policy: 'policy', bucket: 'ada', unit: 'tokens', window_at: 0, amount: 120 };

/** Opens a store in which an earlier version wrote an estimate, the usage of another attempt, and a change of counters only. */
const openEarlier = async (url: string): Promise<Store> => {
  await readMakeStore(url, earlier, [
    ['ledger', { ...row, id: estimated, kind: 'estimated' }],
    ['ledger', { ...row, id: reported, kind: 'reported' }],
    ...[estimated, reported, charged].map((posting) => ['ledger_charges', { ...charge, posting }] as const),
    ['counters', { ...chargeCounter, amount: 360 }],
  ]);
  const store = await openStore({ url });
  onTestFinished(() => store.close());
  return store;
};

const chargeCounter = { counter: 'counter', policy: 'policy', bucket: 'ada', unit: 'tokens', window_at: 0 };

describe.each(databases)('postings of an earlier version, in %s', (kind) => {
  it('are read together with current ones, are not written again, and can be corrected', async () => {
    const store = await openEarlier(await urls[kind]());
    const writer = new LedgerWriter({ store, clock: jumpingClock(monday), say: (text) => expect.fail(text) });
    const usage = toUsage({ input: { total: 150 }, output: { total: 20 } });
    postAll(writer, [
      toPosting({ id: reported }),
      toPosting({ id: charged, entry: toEntry({ isAttempt: false }) }),
      toPosting({ id: newId(monday) }),
      {
        ...{ id: correctionId(estimated), corrects: estimated, charges: [toCharge({ amount: 50 })] },
        entry: toEntry({ usage, at: monday + 5 }),
      },
    ]);
    await writer.close();
    const rows = await store.db.selectFrom('ledger').selectAll().orderBy('nano_usd').orderBy('kind').execute();
    expect(rows.map(({ kind: of, at, input_tokens, nano_usd }) => [of, at, input_tokens, nano_usd])).toEqual([
      ['reported', monday, 50, 500],
      ['estimated', monday, 100, 1000],
      ['reported', monday, 100, 1000],
      ['reported', monday, 100, 1500],
    ]);
    const charges = await store.db.selectFrom('ledger_charges').select('amount').orderBy('amount').execute();
    expect(charges.map(({ amount }) => amount)).toEqual([50, 120, 120, 120, 120]);
  });

  it('are deleted when they are old', async () => {
    const store = await openEarlier(await urls[kind]());
    await savePolicy(store, { id: chargeCounter.policy });
    await pruneLedger(store, { before: monday + 1, now: monday }, () => false);
    for (const table of ['ledger', 'ledger_charges'] as const)
      expect(await store.db.selectFrom(table).selectAll().execute()).toEqual([]);
    expect(await counterSums(store, monday)).toEqual([toCharge({ amount: 360 })]);
  });
});
