import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimatedTokens, requestBytes } from '../../../runtime/usage/request-bytes.ts';
import { usageComments, usageHeaders } from '../../../runtime/usage/usage-lines.ts';
import { costText, usageText } from '../../../runtime/usage/usage-text.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const anyRecord: fc.Arbitrary<UsageRecord> = fc.record({
  kind: fc.constantFrom('reported', 'partial', 'estimated', 'none'),
  model: fc.string({ unit: 'binary', maxLength: 400 }),
  input: fc.record({ total: fc.nat() }),
  output: fc.record({ total: fc.nat(), reasoning: fc.nat() }),
  calls: fc.dictionary(fc.string({ maxLength: 200 }), fc.nat()),
  cost: fc.record({ nanoUsd: fc.nat({ max: Number.MAX_SAFE_INTEGER }), prices: fc.constant('gateway file') }),
});

describe('a record in a header', () => {
  it('is one line of ASCII of at most 1 KB, with all of its members or with the totals', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const text = usageText(record);
        expect(text).toMatch(/^[ -~]{1,1024}$/);
        const { cost: _, ...rest } = record;
        const { kind, input, output } = record;
        const read = JSON.parse(text);
        if (read.calls === undefined) expect(read).toMatchObject({ kind, input, output: { total: output.total } });
        else expect(read).toEqual(JSON.parse(JSON.stringify(rest)));
        expect(record.model.startsWith(read.model)).toBe(true);
      }),
      lawRuns,
    );
  });

  it('equals the result of JSON.stringify if it has common members', () => {
    const rates = fc.constantFrom({}, { tier: 'default' }, { tier: 'é"', cacheHitRate: 0.1905 }, { cacheHitRate: 0 });
    const common = fc.tuple(anyRecord, rates).map(([{ calls: _, ...rest }, more]) => ({
      ...{ ...rest, ...more },
      model: rest.model.slice(0, 50),
    }));
    fc.assert(
      fc.property(common, (record) => {
        const { cost: _, ...rest } = record;
        expect(JSON.parse(usageText(record))).toEqual(JSON.parse(JSON.stringify(rest)));
      }),
      lawRuns,
    );
  });

  it('has its cost as an exact decimal number of dollars', () => {
    expect(
      [0, 1, 3_250_000, 1_000_000_000, 12_000_000_001].map((nanoUsd) => costText({ nanoUsd, prices: '' })),
    ).toEqual(['0', '0.000000001', '0.00325', '1', '12.000000001']);
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (nanoUsd) => {
        const [whole = '', fraction = ''] = costText({ nanoUsd, prices: '' }).split('.');
        expect(BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))).toBe(BigInt(nanoUsd));
      }),
      lawRuns,
    );
  });

  it('is sent without a cost if the cost is unknown', () => {
    const record: UsageRecord = { kind: 'none', model: 'm', input: { total: 0 }, output: { total: 0 } };
    const text = '{"kind":"none","model":"m","input":{"total":0},"output":{"total":0}}';
    expect(usageHeaders(record)).toEqual(['x-gw-usage', text]);
    expect(usageComments(record).toString()).toBe(`: x-gw-usage ${text}\n\n`);
    const priced = { ...record, cost: { nanoUsd: 5, prices: '' } };
    expect(usageComments(priced).toString()).toBe(`: x-gw-usage ${text}\n\n: x-gw-cost 0.000000005\n\n`);
  });
});

describe('the texts of a request', () => {
  it('are counted in bytes without data, and token ids are counted as tokens', () => {
    expect(requestBytes({ a: 'wörld', b: [{ c: 'x' }, 'y', null, true], temperature: 5 })).toBe(8);
    expect(requestBytes(['data:image/png;base64,AAAA', 'A'.repeat(600), 'A B'.repeat(300)])).toBe(900);
    expect(estimatedTokens(requestBytes({ prompt: [1, 2, 3] }))).toBe(3);
    expect([0, 1, 4, 5].map(estimatedTokens)).toEqual([0, 1, 1, 2]);
  });
});
