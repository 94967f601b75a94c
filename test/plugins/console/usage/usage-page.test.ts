import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nearLimit } from '../../../../plugins/console/app/pages/overview/budgets.ts';
import { charts, type Graph, toLines } from '../../../../plugins/console/app/pages/usage/charts.ts';
import { rangeBefore, readRange, secondsOf } from '../../../../plugins/console/app/pages/usage/range.ts';
import { toCsv } from '../../../../plugins/console/app/pages/usage/to-csv.ts';
import { toCurl } from '../../../../plugins/console/app/pages/usage/to-curl.ts';

const now = Date.UTC(2026, 0, 5, 12, 34, 56) / 1000;

it('a URL selects the time range and step, and an empty or invalid one the last day', () => {
  const day = { from: Date.UTC(2026, 0, 4, 13) / 1000, to: Date.UTC(2026, 0, 5, 13) / 1000, step: 'hour' };
  for (const text of [
    '',
    'range=24h',
    'range=__proto__',
    'range=toString',
    'from=5',
    'from=9&to=5',
    'from=a&to=b',
    'from=0&to=99999999999',
  ])
    expect(readRange(new URLSearchParams(text), now), text).toEqual(day);
  expect(readRange(new URLSearchParams('from=60&to=3600'), now)).toEqual({ from: 60, to: 3600, step: 'minute' });
  expect(readRange(new URLSearchParams('range=90d'), now)).toMatchObject({ step: 'day' });
});

it('the previous period has as many points and ends where the selected one begins', () => {
  const points = ({ from, to, step }: ReturnType<typeof readRange>): readonly number[] => {
    const width = secondsOf[step];
    const first = Math.floor(from / width);
    return Array.from({ length: Math.ceil(to / width) - first }, (_, at) => first + at);
  };
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.integer({ min: 120, max: 9_000_000 }), (from, length) => {
      const range = readRange(new URLSearchParams({ from: String(from + 1e9), to: String(from + 1e9 + length) }), now);
      const [after, before] = [points(range), points(rangeBefore(range))];
      expect(before.length).toBe(after.length);
      expect((before.at(-1) ?? 0) + 1).toBe(after[0]);
    }),
  );
});

const point = { timestamp: 0, total: 1 };
const split = (value: string | null) => ({ value, summary: { total: 1 }, data_points: [point] });

it('a CSV contains the figures of the answer and no spreadsheet formulas', () => {
  const graph: Graph = { summary: { total: 1 }, data_points: [{ timestamp: 0, total: 1, rate: null }] };
  expect(toCsv(graph)).toBe('time,total,rate\r\n1970-01-01T00:00:00.000Z,1,\r\n');
  const values = ['=cmd()', '+1', '-1', '@x', '\tx', 'a,"b"\r\nc', null];
  const lines = toCsv({ ...graph, data_points: [point], splits: values.map(split) });
  expect(lines).toContain(`Z,'=cmd(),1\r\n`);
  expect(lines).toContain(`Z,"a,""b""\r\nc",1\r\n`);
  expect(lines).toContain('Z,none,1\r\n');
  expect(lines).not.toMatch(/,[=+\-@\t]/);
});

it('a call can be pasted into a shell, whatever it contains', () => {
  expect(toCurl("http://h/v1/x?a='$(b)'", "o'p")).toBe(
    String.raw`curl 'http://h/v1/x?a='\''$(b)'\''' \
  -H "x-gw-api-key: $GW_API_KEY" \
  -H 'x-gw-workspace: o'\''p'`,
  );
});

it('a chart has one line for each figure, each value and the previous period', () => {
  const [requests] = charts;
  if (requests === undefined) throw new Error('There is no chart.');
  const graph: Graph = { summary: { total: 1 }, data_points: [point, point] };
  const before: Graph = { summary: { total: 2 }, data_points: [{ timestamp: 0, total: 2 }, point, point] };
  expect(toLines(requests, graph, before)).toEqual([
    { name: 'Total', values: [1, 1] },
    { name: 'Total, previous', values: [2, 1], isBefore: true },
  ]);
  const splits = [split('a'), split(null), { ...split(null), is_other: true as const }];
  expect(toLines(requests, { ...graph, splits }).map(({ name }) => name)).toEqual(['a', 'none', 'others']);
});

it('budgets near their end are those used to at least four fifths, fullest first', () => {
  const policy = (id: string, used: number) => ({
    ...{ id, name: null, type: 'cost', credit_limit: 10, value_key_usage_map: { '*': { current_usage: used } } },
  });
  expect(nearLimit([policy('a', 7.9), policy('b', 8), policy('c', 12)]).map(({ name }) => name)).toEqual(['c', 'b']);
  expect(
    nearLimit([
      { id: 'd', name: null },
      { ...policy('e', 5), credit_limit: 0 },
    ]),
  ).toEqual([]);
});
