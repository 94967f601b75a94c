import * as library from '@pydantic/genai-prices';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compiledRow } from '../../../../runtime/usage/prices/compiled-row.ts';
import { toLibraryUsage } from '../../../../runtime/usage/prices/library-usage.ts';
import { createListedPrices } from '../../../../runtime/usage/prices/listed-prices.ts';
import { nanoOfPico, nanoUsd } from '../../../../runtime/usage/prices/nano-usd.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import { dearLawRuns, slowLawMs } from '../../../support/run/law-runs.ts';
import { sampleNumber, thinned } from '../../../support/run/sampled-pairs.ts';

const prices = createListedPrices();
const lists = (await library.waitForUpdate()) ?? expect.unreachable();

interface Row {
  readonly provider: library.Provider;
  readonly model: library.ModelInfo;
}

/** Every model of every list. */
const rows: readonly Row[] = lists.flatMap((provider) => provider.models.map((model) => ({ provider, model })));

const conditions = rows.flatMap(({ model }) => (Array.isArray(model.prices) ? model.prices : []));
const dayMs = 86_400_000;
/** The times at which prices change, on a day when all of them have started. */
const borders = conditions.flatMap(({ constraint }) => {
  if (constraint === undefined) return [];
  if (constraint.type === 'start_date') return [Date.parse(constraint.start_date)];
  return [constraint.start_time, constraint.end_time].map((time) => Date.parse(`2027-03-04T${time}`));
});
const at = fc.oneof(
  fc.tuple(fc.constantFrom(...borders), fc.integer({ min: -1, max: 1 })).map(([border, beside]) => border + beside),
  fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 11, 31) }),
  fc.nat(dayMs).map((time) => Date.UTC(2027, 4, 5) + time),
);

/** The numbers of tokens at which prices change. */
const starts = [
  ...new Set(
    rows
      .flatMap(({ model: { prices: each } }) => (Array.isArray(each) ? each.map((one) => one.prices) : [each]))
      .flatMap((each) => Object.values(each))
      .flatMap((each) => (typeof each === 'object' ? each.tiers.map(({ start }) => start) : [])),
  ),
];

const few = fc.nat(2000);
const sort = fc.option(fc.oneof(few, fc.nat(100_000)), { nil: undefined });
const calls = fc.option(fc.nat(20), { nil: undefined });

const sum = (...counts: readonly (number | undefined)[]): number =>
  counts.reduce<number>((total, count) => total + (count ?? 0), 0);

/** Returns how many tokens are both cached and audio. Undefined if that is not reported. */
const bothOf = (heard: number | undefined, read: number | undefined, audio: number | undefined): number | undefined =>
  heard === undefined || read === undefined || audio === undefined ? undefined : Math.min(heard, read, audio);

/** Tokens of each sort, and how many there are in addition. */
const usages: fc.Arbitrary<UsageRecord> = fc
  .record({
    plain: fc.oneof(few, fc.nat(2_000_000), fc.constantFrom(...starts)),
    ...{ beside: fc.nat(2), read: sort, written: sort, hour: sort, audio: sort, image: sort, heard: sort },
    ...{ said: fc.oneof(few, fc.nat(200_000)), reasoning: sort, spoken: sort, drawn: sort },
    ...{ seconds: fc.option(fc.nat(100_000), { nil: undefined }), searches: calls, lookUps: calls },
    ...{ reranks: calls, pages: calls, annotated: calls },
    isPlain: fc.boolean(),
  })
  .map((all): UsageRecord => {
    const used = all.isPlain ? { plain: all.plain, beside: all.beside, said: all.said } : all;
    const { plain, beside, said, read, written, hour, audio, image, heard, reasoning, spoken, drawn, ...more } = {
      ...{ read: undefined, written: undefined, hour: undefined, audio: undefined, image: undefined },
      heard: undefined,
      ...{ reasoning: undefined, spoken: undefined, drawn: undefined },
      ...{ seconds: undefined, searches: undefined, lookUps: undefined },
      ...{ reranks: undefined, pages: undefined, annotated: undefined },
      ...used,
    };
    const both = bothOf(heard, read, audio);
    const parts = sum(read, written, hour, audio, image) - (both ?? 0);
    // As many as a price starts at, or one more or less.
    const total = Math.max(parts, plain + beside - 1, 0);
    const writes = { ...(written !== undefined && { '5m': written }), ...(hour !== undefined && { '1h': hour }) };
    return {
      ...{ kind: 'reported', model: 'm' },
      input: {
        total,
        ...(read !== undefined && { cacheRead: read }),
        ...(Object.keys(writes).length > 0 && { cacheWrite: writes }),
        ...(audio !== undefined && { audio }),
        ...(image !== undefined && { image }),
        ...(both !== undefined && { cacheReadAudio: both }),
      },
      output: {
        total: sum(said, reasoning, spoken, drawn),
        ...(reasoning !== undefined && { reasoning }),
        ...(spoken !== undefined && { audio: spoken }),
        ...(drawn !== undefined && { image: drawn }),
      },
      ...(more.seconds !== undefined && { audioSeconds: more.seconds / 10 }),
      calls: {
        ...(more.searches !== undefined && { web_search: more.searches }),
        ...(more.lookUps !== undefined && { file_search: more.lookUps }),
        ...(more.reranks !== undefined && { search: more.reranks }),
        ...(more.pages !== undefined && { page: more.pages + (more.annotated ?? 0) }),
        ...(more.pages !== undefined && more.annotated !== undefined && { annotated_page: more.annotated }),
      },
    };
  });

/** Returns the cost that the library itself calculates. */
const listed = (record: UsageRecord, { provider, model }: Row, time: number): number | undefined => {
  try {
    const options = { providerId: provider.id, timestamp: new Date(time) };
    const found = library.calcPrice(toLibraryUsage(record), model.id, options);
    return found === null ? undefined : nanoUsd(found.total_price);
  } catch {
    return undefined;
  }
};

const said = (record: UsageRecord, { provider, model }: Row, time: number): number | undefined => {
  const call = { provider: provider.id, listedAs: provider.id, model: model.id, at: time };
  const price = prices.price({ ...record, model: model.id }, call);
  return price === undefined ? undefined : nanoOfPico(price.input + price.output + price.rest);
};

describe('the cost of a listed model', () => {
  beforeAll(() => prices.ready());

  it('matches its list, to the nano-dollar, for every model', { timeout: slowLawMs }, () => {
    expect(rows.length).toBeGreaterThan(1000);
    const numRuns = 6 / thinned(3);
    const differing = rows.filter((row, index) =>
      fc
        .sample(fc.tuple(usages, at), { numRuns, seed: index + rows.length * sampleNumber })
        .some(([record, time]) => said(record, row, time) !== listed(record, row, time)),
    );
    expect(differing.map(({ provider, model }) => `${provider.id} ${model.id}`)).toEqual([]);
  });

  it('matches its list, at any time and for any usage', { timeout: slowLawMs }, () => {
    const law = fc.property(fc.nat(rows.length - 1), usages, at, (index, record, time) => {
      const row = rows[index] ?? expect.unreachable();
      expect(said(record, row, time)).toBe(listed(record, row, time));
    });
    fc.assert(law, { ...dearLawRuns, numRuns: dearLawRuns.numRuns * 100 });
  });

  it('is compiled to rates wherever the library computes it by rates', () => {
    const asked = rows.filter(({ provider, model }) => compiledRow(library, provider, model) === undefined);
    // Less than ten seconds of audio are charged as ten.
    const minimum = ['groq whisper-large-v3', 'groq whisper-large-v3-turbo'];
    expect(asked.map(({ provider, model }) => `${provider.id} ${model.id}`)).toEqual(minimum);
    for (const row of asked)
      for (const audioSeconds of [0, 3, 10, 30]) {
        const record: UsageRecord = {
          ...{ kind: 'reported', model: row.model.id, audioSeconds },
          ...{ input: { total: 0 }, output: { total: 0 } },
        };
        expect(said(record, row, 0)).toBe(listed(record, row, 0));
      }
  });
});
