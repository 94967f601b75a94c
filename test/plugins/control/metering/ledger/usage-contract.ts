import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { counterSums } from '../../../../../plugins/control/metering/ledger/ledger-store.ts';
import { LedgerWriter } from '../../../../../plugins/control/metering/ledger/ledger-writer.ts';
import type { LedgerEntry, Posting } from '../../../../../plugins/control/metering/ledger/posting.ts';
import { reportUsage, type UsageAsked } from '../../../../../plugins/control/metering/ledger/usage-service.ts';
import type { OrganisationId, TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';
import { monday, postAll, toCharge, toEntry, toPosting, toUsage } from './sample-posting.ts';

const hour = 3_600_000;
const day = 24 * hour;

const entries: fc.Arbitrary<LedgerEntry> = fc
  .record({
    at: fc.integer({ min: 0, max: 3 * day }).map((after) => monday + after),
    key: fc.constantFrom('k1', 'k2', undefined),
    model: fc.constantFrom('gpt-4o', 'claude', ''),
    provider: fc.constantFrom('openai', 'anthropic'),
    config: fc.constantFrom('prod', undefined),
    team: fc.constantFrom('red', 'blue', 'green', 'x'.repeat(300), '', undefined),
    isFirst: fc.boolean(),
    kind: fc.constantFrom('reported', 'partial', 'estimated', 'none'),
    input: fc.nat({ max: 1e6 }),
    output: fc.nat({ max: 1e6 }),
    nanoUsd: fc.option(fc.nat({ max: 1e12 }), { nil: undefined }),
  })
  .map(({ team, key, config, kind, input, output, nanoUsd, ...entry }) => {
    const { key: _key, config: _config, ...plain } = toEntry();
    const { cost: _cost, ...usage } = toUsage({ kind, input: { total: input }, output: { total: output } });
    return {
      ...{ ...plain, ...entry },
      ...(key !== undefined && { key }),
      ...(config !== undefined && { config }),
      metadata: { other: 'yes', ...(team !== undefined && { team }) },
      usage: { ...usage, ...(nanoUsd !== undefined && { cost: { nanoUsd, prices: 'genai-prices' } }) },
    };
  });

const postings: fc.Arbitrary<Posting<LedgerEntry>[]> = fc
  .array(
    fc
      .record({ entry: entries, bucket: fc.constantFrom('a', 'b'), window: fc.constantFrom(0, monday) })
      .map(({ entry, bucket, window }) => ({
        entry,
        charges: [toCharge({ bucket, window, amount: entry.usage.input.total })],
      })),
    { maxLength: 25 },
  )
  .map((all) => all.map((each, at) => ({ ...each, id: `p${at}` })));

/** Returns the values by which a report can group the posting of an attempt. */
const toLabels = ({ at, key, model, provider, config, metadata, usage }: LedgerEntry): Record<string, unknown> => ({
  ...{ key: key ?? null, model: model || usage.model, provider, config: config ?? null },
  ...{ hour: Math.floor(at / hour) * 3600, day: Math.floor(at / day) * 86_400 },
  'metadata.team': metadata.team,
});

interface Sum {
  requests: number;
  attempts: number;
  input_tokens: number;
  output_tokens: number;
  nano_usd: bigint;
  unpriced: number;
}

const nothing: Sum = { requests: 0, attempts: 0, input_tokens: 0, output_tokens: 0, nano_usd: 0n, unpriced: 0 };

const plus = (sum: Sum, { isFirst, usage: { input, output, cost } }: LedgerEntry): Sum => ({
  requests: sum.requests + (isFirst ? 1 : 0),
  attempts: sum.attempts + 1,
  input_tokens: sum.input_tokens + input.total,
  output_tokens: sum.output_tokens + output.total,
  nano_usd: sum.nano_usd + BigInt(cost?.nanoUsd ?? 0),
  unpriced: sum.unpriced + (cost === undefined && input.total + output.total > 0 ? 1 : 0),
});

const grouped = (all: readonly LedgerEntry[], by: readonly string[], values: number): Record<string, Sum> => {
  const groups: Record<string, Sum> = {};
  const seen = new Map<unknown, Set<unknown>>();
  for (const entry of all) {
    const labels = toLabels(entry);
    const { team } = entry.metadata;
    const known = seen.get(labels.day) ?? new Set();
    seen.set(labels.day, known);
    if (team !== undefined && team.length <= 200 && known.size < values) known.add(team);
    const isOther = team !== undefined && !known.has(team);
    const name = by.map((each) => {
      if (each !== 'metadata.team') return labels[each];
      if (team === undefined) return 'none';
      return isOther ? 'other' : `=${team}`;
    });
    const key = JSON.stringify(name);
    groups[key] = plus(groups[key] ?? nothing, entry);
  }
  return groups;
};

const read = (row: Record<string, unknown>): Sum => ({
  ...nothing,
  ...Object.fromEntries(Object.keys(nothing).map((name) => [name, row[name]])),
  nano_usd: BigInt(String(row.nano_usd)),
});

const toGroups = (data: readonly object[], by: readonly string[]): Record<string, Sum> =>
  Object.fromEntries(
    data.map((entry) => {
      const row: Record<string, unknown> = { ...entry };
      const name = by.map((each) => {
        if (each !== 'metadata.team') return row[each];
        if (row.is_other === true) return 'other';
        return row[each] === null ? 'none' : `=${row[each]}`;
      });
      return [JSON.stringify(name), read(row)];
    }),
  );

const groupings: readonly (readonly string[])[] = [
  ...[
    [],
    ['model'],
    ['key', 'day'],
    ['provider', 'config', 'hour'],
    ['metadata.team'],
    ['metadata.team', 'day', 'model'],
  ],
];

const tables = [
  ...([
    'ledger_postings',
    'ledger_names',
    'counters',
    'usage_hours',
    'usage_labels',
    'label_values',
    'label_counts',
  ] as const),
];

const empty = (store: Store): Promise<void> =>
  store.write(async (writing) => {
    for (const table of tables) await writing.deleteFrom(table).execute();
  });

/** The caller of a workspace. */
const asker = {
  requestScope: { organisation: 'organisation' as OrganisationId, tenant: 'workspace' as TenantId },
  caller: { tenant: 'workspace' as TenantId, reach: 'workspace' as const },
};

/** Defines the tests of usage reports. Call it inside a `describe`. */
export const testUsage = (open: () => Promise<Store>): void => {
  it('have the sums of the postings, in any order and however often they are posted', async () => {
    const store = await open();
    const parts = { store, now: () => monday + 3 * day };
    const report = (query: Partial<UsageAsked>, caller: 'organisation' | 'workspace' = 'workspace') =>
      reportUsage(
        { ...parts, ...asker, caller: { ...asker.caller, reach: caller } },
        { page_size: 1000, current_page: 0, from: monday / 1000 - 86_400, to: monday / 1000 + 5 * 86_400, ...query },
      );
    await fc.assert(
      fc.asyncProperty(
        postings,
        fc.array(fc.nat({ max: 30 })),
        fc.integer({ min: 1, max: 4 }),
        async (all, again, values) => {
          await empty(store);
          const writer = new LedgerWriter({
            store,
            clock: jumpingClock(monday),
            say: (text) => expect.fail(text),
            labelBounds: { names: 10, values },
          });
          for (const posting of all) {
            writer.behind.take(posting);
            if (again.includes(Number(posting.id.slice(1)))) await writer.flush();
          }
          await writer.flush();
          postAll(
            writer,
            again.flatMap((at) => all[at] ?? []),
          );
          await writer.close();
          const posted = all.map(({ entry }) => entry);
          const sum = posted.reduce(plus, nothing);
          for (const by of groupings) {
            const { data, total, summary } = await report({ group_by: [by.join(',')].filter(Boolean) });
            const groups = grouped(posted, by, values);
            expect(toGroups(data, by), String(by)).toEqual(groups);
            expect([total, read({ ...summary })]).toEqual([Object.keys(groups).length, sum]);
          }
          const red = posted.filter(({ metadata, model }) => metadata.team === 'red' && model === 'gpt-4o');
          const apart = grouped(red, ['key'], 99);
          if (values === 4)
            expect(
              toGroups((await report({ group_by: ['key'], metadata: 'team=red', model: 'gpt-4o' })).data, ['key']),
            ).toEqual(apart);
          const counters = new Map<string, number>();
          for (const { bucket, window, amount } of all.flatMap(({ charges }) => charges))
            counters.set(`${bucket} ${window}`, (counters.get(`${bucket} ${window}`) ?? 0) + amount);
          // Only the latest window of each counter counts.
          for (const bucket of ['a', 'b']) if (counters.has(`${bucket} ${monday}`)) counters.delete(`${bucket} 0`);
          const charged = await counterSums(store, monday);
          expect(new Map(charged.map(({ bucket, window, amount }) => [`${bucket} ${window}`, amount]))).toEqual(
            counters,
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  it('list the first values of a label on a day separately, even if another day has the same facts', async () => {
    const store = await open();
    await empty(store);
    const parts = { store, clock: jumpingClock(monday), say: () => {}, labelBounds: { names: 10, values: 2 } };
    const writer = new LedgerWriter(parts);
    const sent = [
      ['green', monday + day],
      ['', monday],
      ['red', monday + day],
      ['', monday + day],
    ] as const;
    for (const [index, [team, at]] of sent.entries())
      writer.behind.take(toPosting({ id: `p${index}`, entry: toEntry({ at, metadata: { team } }) }));
    await writer.close();
    const { data } = await reportUsage(
      { store, now: () => monday + 3 * day, ...asker },
      {
        page_size: 10,
        current_page: 0,
        from: (monday + day) / 1000,
        to: (monday + 2 * day) / 1000,
        group_by: ['metadata.team'],
      },
    );
    expect(Object.keys(toGroups(data, ['metadata.team'])).sort()).toEqual(['["=green"]', '["=red"]', '["other"]']);
  });

  it('are divided into pages, with the most expensive groups first', async () => {
    const store = await open();
    await empty(store);
    const writer = new LedgerWriter({ store, clock: jumpingClock(monday), say: () => {} });
    for (let at = 1; at <= 5; at += 1)
      writer.behind.take(
        toPosting({
          id: `p${at}`,
          entry: toEntry({ model: `m${at}`, usage: toUsage({ cost: { nanoUsd: at * 1e8, prices: 'gateway file' } }) }),
        }),
      );
    await writer.close();
    const parts = { store, now: () => monday + hour };
    const page = (current_page: number) =>
      reportUsage({ ...parts, ...asker }, { page_size: 2, current_page, group_by: ['model'] });
    expect(await page(0)).toMatchObject({
      total: 5,
      data: [
        { model: 'm5', cost: '0.5' },
        { model: 'm4', cost: '0.4' },
      ],
    });
    expect(await page(2)).toMatchObject({ total: 5, data: [{ model: 'm1', cost: '0.1', nano_usd: '100000000' }] });
    expect(await page(3)).toMatchObject({ total: 5, data: [], summary: { attempts: 5, cost: '1.5' } });
    const elsewhere = { ...asker, requestScope: { ...asker.requestScope, tenant: 'another' as TenantId } };
    expect(await reportUsage({ ...parts, ...elsewhere }, { page_size: 2, current_page: 0 })).toMatchObject({
      total: 0,
      data: [],
      summary: { attempts: 0, cost: '0' },
    });
  });
};
