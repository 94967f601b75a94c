import { expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { linesWriter, postLines } from '../../../../../plugins/control/metering/counters/redis/posting-texts.ts';
import { counterSums } from '../../../../../plugins/control/metering/ledger/ledger-store.ts';
import { LedgerWriter } from '../../../../../plugins/control/metering/ledger/ledger-writer.ts';
import { type LedgerEntry, type Posting, readEntry } from '../../../../../plugins/control/metering/ledger/posting.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';
import { temporaryStore } from '../../support/temporary-store.ts';
import { monday, toCharge, toEntry, toPosting, toUsage } from '../ledger/sample-posting.ts';

/** Writes a posting as the scripts of Redis do. */
const toLine = ({ id, corrects = '', charges, entry }: Posting<LedgerEntry>): string =>
  JSON.stringify([
    ...[id, corrects],
    ...charges.map(({ policy, bucket, unit, amount, window }) => [policy, bucket, unit, `${amount}`, `${window}`]),
    entry,
  ]);

const postings = [
  toPosting({ id: 'a' }),
  toPosting({ id: 'b', charges: [], entry: toEntry({ metadata: { team: 'é\n\ud800"' }, isFirst: false }) }),
  toPosting({ id: 'c', charges: [toCharge({ bucket: '\udfff' }), toCharge({ unit: 'requests', amount: 1 })] }),
  toPosting({ id: 'd', entry: toEntry({ isAttempt: false }) }),
  toPosting({
    ...{ id: 'a~corrected', corrects: 'a', charges: [toCharge({ amount: -20 })] },
    entry: toEntry({ usage: toUsage({ kind: 'partial', input: { total: 80 } }) }),
  }),
];

const openWriter = async () => {
  const temporary = await temporaryStore();
  onTestFinished(() => temporary[Symbol.asyncDispose]());
  const { store } = temporary;
  const said: string[] = [];
  const ledger = new LedgerWriter({ store, clock: jumpingClock(monday), say: (text) => said.push(text) });
  const posted = { writeLines: linesWriter(store), postings: ledger.committed, readEntry };
  const ids = async () => {
    const rows = await store.db.selectFrom('ledger').select('id').orderBy('id').execute();
    return rows.map(({ id }) => id);
  };
  return { ids, said, posted };
};

/** Reads what the ledger has stored, in an order that does not depend on when it was written. */
const readAll = async ({ db }: Store): Promise<readonly (readonly string[])[]> => {
  const tables = ['ledger', 'ledger_charges', 'usage_hours', 'usage_labels'] as const;
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  return rows.map((each) => each.map((row) => JSON.stringify(row)).sort());
};

onEachStore((newStore) => {
  it('postings from Redis have the same rows and sums as postings of this process', async () => {
    const [one, other] = [await (await newStore())(), await (await newStore())()];
    await new LedgerWriter({ store: one, clock: jumpingClock(monday), say: () => {} }).committed.post(postings);
    await linesWriter(other)(postings.map(toLine).join('\n'));
    const written = await readAll(other);
    expect(written[0]).toHaveLength(4);
    expect(written).toEqual(await readAll(one));
    expect(await counterSums(other, monday)).toEqual(await counterSums(one, monday));
  });
});

it('postings from Redis are not written in the thread of the store if one of them cannot be read', async () => {
  const { posted, ids } = await openWriter();
  const lines = [...postings.map(toLine), '["x"]'].join('\n');
  await expect(posted.writeLines(lines)).rejects.toThrow('A posting in Redis cannot be read.');
  expect(await ids()).toEqual([]);
});

it('postings from Redis that cannot be read are counted, and the others are written', async () => {
  const { posted, ids } = await openWriter();
  const lines = [toLine(toPosting({ id: 'a' })), 'no JSON', toLine(toPosting({ id: 'b' })), '["x","",{}]'].join('\n');
  expect(await postLines(posted, lines)).toBe(2);
  expect(await ids()).toEqual(['a', 'b']);
});

it('a posting from Redis with an absurd amount is reported as lost, and the others are written', async () => {
  const { posted, ids, said } = await openWriter();
  const absurd = toPosting({ id: 'b', charges: [toCharge({ amount: 1e13 })] });
  expect(await postLines(posted, [toPosting({ id: 'a' }), absurd].map(toLine).join('\n'))).toBe(0);
  expect(await ids()).toEqual(['a']);
  expect(said).toEqual([expect.stringContaining('An attempt is not in the ledger')]);
});
