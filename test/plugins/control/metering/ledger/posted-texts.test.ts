import fc from 'fast-check';
import { expect, it } from 'vitest';
import { storedText } from '../../../../../plugins/control/kernel/store/rows/storable.ts';
import { pruneLedger } from '../../../../../plugins/control/metering/ledger/ledger-store.ts';
import { LedgerWriter } from '../../../../../plugins/control/metering/ledger/ledger-writer.ts';
import type { LedgerEntry, Posting } from '../../../../../plugins/control/metering/ledger/posting.ts';
import { shortId } from '../../../../../plugins/control/metering/ledger/short-id.ts';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';
import { monday, postAll, toCharge, toEntry, toUsage } from './sample-posting.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\0', '\ud800', '\udfff', '"', '\\', '{', ',', '\n', 'é', '𝄞', 'a') }),
  fc.constantFrom('', 'NULL', 'null', '{}', '\0', '\ud83d', `${'x'.repeat(199)}𝄞`, 'é'.repeat(300), 'openai'),
);
const maybe = fc.option(text, { nil: undefined });
const count = fc.oneof(fc.nat({ max: 5 }), fc.constantFrom(255, 256, 2 ** 31, 2 ** 32 + 1, 1e12));

const entries: fc.Arbitrary<LedgerEntry> = fc
  .record({
    ...{ at: fc.integer({ min: 0, max: 4e12 }), trace: text, organisation: text, workspace: text, key: maybe },
    ...{ config: maybe, prompt: maybe, provider: text, slug: maybe, model: text, answered: text, tier: maybe },
    metadata: fc.dictionary(text, text, { maxKeys: 3 }),
    ...{ isFirst: fc.boolean(), prices: maybe },
    kind: fc.constantFrom('reported' as const, 'partial' as const, 'estimated' as const, 'none' as const),
    ...{
      input: count,
      cacheRead: count,
      cacheWrite: count,
      audio: count,
      output: count,
      reasoning: count,
      cost: count,
    },
  })
  .map(({ answered, kind, tier, prices, input, cacheRead, cacheWrite, audio, output, reasoning, cost, ...rest }) => ({
    ...rest,
    usage: {
      ...{ kind, model: answered },
      ...(tier === undefined ? {} : { tier }),
      input: { total: input, cacheRead, cacheWrite: { '5m': cacheWrite }, audio },
      output: { total: output, reasoning },
      ...(prices === undefined ? {} : { cost: { nanoUsd: cost, prices } }),
    },
  }));

const charges = fc.array(
  fc
    .record({
      policy: text,
      bucket: text,
      window: fc.constantFrom(0, monday),
      amount: fc.integer({ min: -9, max: 1e12 }),
    })
    .map(({ policy, ...charge }) => toCharge({ policy: storedText(policy), ...charge })),
  { maxLength: 3 },
);

const postings: fc.Arbitrary<readonly Posting<LedgerEntry>[]> = fc
  .array(fc.record({ id: fc.oneof(fc.uuid(), text), entry: entries, charges }), { maxLength: 40 })
  .chain((all) => fc.shuffledSubarray([...all, ...all], { minLength: all.length }));

const cut = (value: string): string => storedText(value.slice(0, 200));
const cutOrNull = (value: string | undefined): string | null => (value === undefined ? null : cut(value));

/** Returns the rows that the ledger must have: for each id, those of its first posting. */
const expected = (all: readonly Posting<LedgerEntry>[]): ReadonlyMap<string, object> => {
  const rows = new Map<string, object>();
  for (const { id, entry, charges: charged } of all) {
    const key = shortId(storedText(id));
    if (rows.has(key)) continue;
    const { usage, metadata } = entry;
    const labels = Object.entries(metadata).map(([name, value]) => [storedText(name), storedText(value)]);
    rows.set(key, {
      ...{ at: entry.at, trace: cut(entry.trace), requests: entry.isFirst ? 1 : 0, attempts: 1 },
      ...{ organisation_id: storedText(entry.organisation), workspace_id: storedText(entry.workspace) },
      ...{ key_id: entry.key === undefined ? null : storedText(entry.key), config: cutOrNull(entry.config) },
      ...{ prompt: cutOrNull(entry.prompt), provider: cut(entry.provider), slug: cutOrNull(entry.slug) },
      ...{ model: cut(entry.model === '' ? usage.model : entry.model), answered_model: cut(usage.model) },
      ...{ kind: usage.kind, tier: cutOrNull(usage.tier), prices: cutOrNull(usage.cost?.prices) },
      ...{ nano_usd: usage.cost?.nanoUsd ?? null, metadata: Object.fromEntries(labels), corrects: null },
      ...{ input_tokens: usage.input.total, cache_read_tokens: usage.input.cacheRead },
      ...{ cache_write_tokens: usage.input.cacheWrite?.['5m'], audio_tokens: usage.input.audio },
      ...{ output_tokens: usage.output.total, reasoning_tokens: usage.output.reasoning },
      charges: charged.map(({ policy, bucket, unit, amount, window }) => ({
        ...{ policy, bucket: storedText(bucket), unit, amount, window_at: window },
      })),
    });
  }
  return rows;
};

const written = [
  ...(['ledger_postings', 'ledger_names', 'counters', 'usage_hours', 'usage_labels'] as const),
  ...(['label_values', 'label_counts'] as const),
];

onEachStore((newStore) => {
  it('a ledger contains what was posted, whatever the texts and however large the counts', {
    timeout: 120_000,
  }, async () => {
    const store = await (await newStore())();
    const rows = async () => {
      const attempts = await store.db.selectFrom('ledger').selectAll().execute();
      const charged = await store.db.selectFrom('ledger_charges').selectAll().orderBy('number').execute();
      return new Map(
        attempts.map(({ id, metadata, ...row }) => {
          const of = charged.filter(({ posting }) => posting === id);
          const own = of.map(({ posting: _posting, number: _number, at: _at, ...charge }) => charge);
          return [id, { ...row, metadata: fromJson(metadata), charges: own }];
        }),
      );
    };
    await fc.assert(
      fc.asyncProperty(postings, fc.nat({ max: 40 }), async (all, flushedAt) => {
        await store.write(async (writing) => {
          for (const table of written) await writing.deleteFrom(table).execute();
        });
        const writer = new LedgerWriter({ store, clock: jumpingClock(monday), say: (said) => expect.fail(said) });
        postAll(writer, all.slice(0, flushedAt));
        await writer.flush();
        postAll(writer, all.slice(flushedAt));
        await writer.close();
        expect(await rows()).toEqual(expected(all));
      }),
      { ...lawRuns, numRuns: Math.ceil(lawRuns.numRuns / (store.kind === 'sqlite' ? 6 : 10)) },
    );
  });

  it('a ledger has the names of new postings after the same names were deleted', async () => {
    const store = await (await newStore())();
    const day = 86_400_000;
    const writer = new LedgerWriter({ store, clock: jumpingClock(monday), say: (said) => expect.fail(said) });
    const post = async (id: string, ...entry: readonly Partial<LedgerEntry>[]): Promise<void> => {
      postAll(
        writer,
        entry.map((each, at) => ({
          id: `${id}${at}`,
          charges: [toCharge({ bucket: each.key ?? '' })],
          entry: toEntry(each),
        })),
      );
      await writer.flush();
    };
    const keys = ['a', 'b', 'c'].map((key, at) => ({ key, at: monday + at * day }));
    await post('first', ...keys);
    await pruneLedger(store, { before: monday + 2 * day, now: monday }, () => false);
    await post('again', ...keys);
    const read = await store.db.selectFrom('ledger').select(['id', 'key_id']).orderBy('id').execute();
    const charged = await store.db
      .selectFrom('ledger_charges')
      .select(['posting', 'bucket'])
      .orderBy('posting')
      .execute();
    const again = keys.map(({ key }, at) => [`again${at}`, key]);
    expect(read.map(Object.values)).toEqual([...again, ['first2', 'c']]);
    expect(charged.map(Object.values)).toEqual([...again, ['first2', 'c']]);
    await writer.close();
  });

  it('a ledger uses no names of a failed transaction in later postings', async () => {
    const store = await (await newStore())();
    const writer = new LedgerWriter({ store, clock: jumpingClock(monday), say: () => {} });
    const refused = toEntry();
    Object.assign(refused, { workspace: null });
    const entries = ['a', 'b', 'c', 'd'].map((model) => toEntry({ model, usage: toUsage({ model }) }));
    postAll(writer, [
      ...entries.map((entry, at) => ({ id: `first${at}`, charges: [], entry })),
      { id: 'refused', charges: [], entry: refused },
    ]);
    await writer.flush();
    postAll(
      writer,
      entries.toReversed().map((entry, at) => ({ id: `second${at}`, charges: [], entry })),
    );
    await writer.close();
    const rows = await store.db.selectFrom('ledger').select(['id', 'model']).orderBy('id').execute();
    expect(rows.map(({ model }) => model)).toEqual(['a', 'b', 'c', 'd', 'd', 'c', 'b', 'a']);
  });
});
