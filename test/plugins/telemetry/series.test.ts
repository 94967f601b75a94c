import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otherName, Series } from '../../../plugins/telemetry/metrics/series.ts';

const counts = (labels: number, most: number): Series<{ value: number }> =>
  Series.of({ labels, max: most, make: () => ({ value: 0 }) });

const readCounts = (series: Series<{ value: number }>): ReadonlyMap<string, number> =>
  new Map(Array.from(series.all(), ({ values, cell }) => [values.join('|'), cell.value]));

describe('a labelled series', () => {
  it('counts like a plain map while there is room', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (events) => {
        const series = counts(2, Number.POSITIVE_INFINITY);
        const plain = new Map<string, number>();
        for (const [first, second] of events) {
          series.at('', first).at('', second).cell.value += 1;
          const key = `${first}|${second}`;
          plain.set(key, (plain.get(key) ?? 0) + 1);
        }
        // Two pairs can produce the same key, in both.
        expect([...readCounts(series).values()].reduce((sum, value) => sum + value, 0)).toBe(events.length);
        for (const key of readCounts(series).keys()) expect(plain.has(key)).toBe(true);
      }),
    );
  });

  it('loses no event and stops growing when it is full, whatever the labels are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string(), fc.string())), fc.nat(12), (events, most) => {
        const series = counts(3, most);
        for (const [first, second, third] of events) series.at('', first).at('', second).at('', third).cell.value += 1;
        const all = [...series.all()];
        expect(all.reduce((sum, { cell }) => sum + cell.value, 0)).toBe(events.length);
        expect(all.length).toBeLessThanOrEqual(most + 1);
        for (const { values } of all) expect(values).toHaveLength(3);
      }),
    );
  });

  it('counts all late label sets under the name for others', () => {
    const series = counts(2, 2);
    series.at('', 'a').at('', 'b').cell.value += 1;
    series.at('', 'a').at('', 'c').cell.value += 2;
    series.at('', 'd').at('', 'b').cell.value += 4;
    expect(readCounts(series)).toEqual(
      new Map([
        ['a|b', 1],
        [`${otherName}|${otherName}`, 6],
      ]),
    );
  });
});
