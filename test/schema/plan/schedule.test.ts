import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../../schema/plan/schedule.ts';

const now = Date.UTC(2026, 10, 20, 10, 0, 0);
const asked = (headers: Readonly<Record<string, string>>): number | undefined =>
  retryAfterMs((name) => headers[name], now);

describe('the wait that a provider requests', () => {
  it.each([
    ['2', 2000],
    ['1.5', 1500],
    ['0', 0],
    ['Fri, 20 Nov 2026 10:00:05 GMT', 5000],
    ['Friday, 20-Nov-26 10:00:05 GMT', 5000],
    ['Fri Nov 20 10:00:05 2026', 5000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
  ])('is read from %j', (text, ms) => expect(asked({ 'retry-after': text })).toBe(ms));

  it.each(['-5', '1, 2', '', '1e3', 'soon', 'Nov 20', '0x10', '5 s', 'Fri, 99 Nov 2026 10:00:05 GMT'])(
    'is undefined if it cannot be read: %j',
    (text) => {
      expect(asked({ 'retry-after': text })).toBeUndefined();
      expect(asked({ 'retry-after-ms': text, 'retry-after': '2' })).toBe(2000);
    },
  );
});
