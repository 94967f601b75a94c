import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEntryWriter } from '../../../../../plugins/control/metering/ledger/entry-texts.ts';
import { type LedgerEntry, readEntry } from '../../../../../plugins/control/metering/ledger/posting.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';
import { toEntry, toUsage } from './sample-posting.ts';

const anyText = fc.oneof(fc.constantFrom('', 'a', 'undefined', '"\n\\', '\ud800'), fc.string());
const anyOptional = fc.option(anyText, { nil: undefined });

const members: { readonly [Name in keyof Required<LedgerEntry>]: Arbitrary<LedgerEntry[Name]> } = {
  at: fc.constantFrom(0, 1_796_078_477_091),
  trace: anyText,
  organisation: anyText,
  workspace: anyText,
  key: anyOptional,
  config: anyOptional,
  prompt: anyOptional,
  provider: anyText,
  slug: anyOptional,
  model: anyText,
  metadata: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), anyText, { maxKeys: 2, noNullPrototype: true }),
  isFirst: fc.boolean(),
  isAttempt: fc.constantFrom(undefined, false),
  usage: fc.constantFrom(toUsage({}), toUsage({ model: 'other', output: { total: 7 } })),
};

const anyChange: Arbitrary<Partial<LedgerEntry>> = fc.oneof(
  ...Object.entries(members).map(([name, value]) => fc.record({ [name]: value })),
);

/** Entries, each of which differs from the one before in one member. */
const anyEntries: Arbitrary<readonly LedgerEntry[]> = fc
  .tuple(fc.record<LedgerEntry>(members), fc.array(anyChange))
  .map(([first, changes]) => {
    let last = first;
    const others = changes.map((change) => {
      last = { ...last, ...change };
      return last;
    });
    return [first, ...others];
  });

describe('the texts of entries', () => {
  it('are the JSON of the entries, whatever was written before', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        const write = createEntryWriter();
        for (const entry of entries) {
          const { own, shared } = write(entry);
          const text = own + shared;
          expect(readEntry(JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(entry)));
          expect(text).not.toContain('\n');
        }
      }),
      lawRuns,
    );
  });

  it('have the same second part if only the time, the trace and the usage differ', () => {
    const write = createEntryWriter();
    const { shared } = write(toEntry({}));
    expect(write(toEntry({ at: 1, trace: 'other', usage: toUsage({ output: { total: 9 } }) })).shared).toBe(shared);
  });
});
