import { describe, expect, it } from 'vitest';
import { createRecords } from '../../../../../plugins/control/metering/ledger/ledger-record.ts';
import type { LedgerEntry } from '../../../../../plugins/control/metering/ledger/posting.ts';
import { toEntry, toUsage } from './sample-posting.ts';

/** Returns a function that returns what is remembered of an attempt: one object for all with the same texts. */
const remembering = (): ((entry: Partial<LedgerEntry>) => unknown) => {
  const record = createRecords();
  return (entry) => record({ id: 'id', charges: [], entry: toEntry(entry) }).attempt?.facts;
};

describe('what the ledger remembers of attempts', () => {
  it('is the same object for all attempts with the same texts', () => {
    const facts = remembering();
    const first = facts({ metadata: { _user: 'ada' } });
    for (let at = 0; at < 1000; at += 1) facts({ metadata: { _user: `user-${at}` } });
    expect(facts({ metadata: { _user: 'ada' } })).toBe(first);
  });

  it('is discarded when its labels exceed eight million characters', () => {
    const facts = remembering();
    const first = facts({ metadata: { _user: 'ada' } });
    for (let at = 0; at < 2200; at += 1) facts({ metadata: { at: String(at), text: 'x'.repeat(3900) } });
    const again = facts({ metadata: { _user: 'ada' } });
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });

  it('does not depend on characters beyond the maximum length of a model name', () => {
    const facts = remembering();
    const long = 'm'.repeat(200_000);
    const first = facts({ model: `${long}1`, usage: toUsage({ model: `${long}3` }) });
    expect(facts({ model: `${long}2`, usage: toUsage({ model: `${long}4` }) })).toBe(first);
    expect(first).toMatchObject({ model: 'm'.repeat(200), answered_model: 'm'.repeat(200) });
  });
});
