import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelTexts } from '../../../../../plugins/control/metering/limiter/label-texts.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';

const text = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ minLength: 150, maxLength: 5000 }));
const metadata = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)), { maxKeys: 40 });

describe('the labels of a request in the ledger', () => {
  it('are texts of limited length, whatever the caller sends', () => {
    fc.assert(
      fc.property(metadata, (given) => {
        const labels = Object.entries(labelTexts(given as JsonObject));
        for (const [name, value] of labels) {
          expect(name.length).toBeLessThanOrEqual(200);
          expect(value.length).toBeLessThanOrEqual(200);
        }
        const length = labels.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
        expect(length).toBeLessThanOrEqual(4000);
      }),
    );
  });

  it('are unchanged if they are short, but exclude values that cannot be labels', () => {
    const short = { team: 'a', user: 'x'.repeat(200) };
    expect(labelTexts(short)).toBe(short);
    expect(labelTexts({ team: 'a', n: 1, is: true, list: [1], none: null })).toEqual({ team: 'a', n: '1', is: 'true' });
  });

  it('differ if long texts differ, and are the same for the same text', () => {
    const long = 'x'.repeat(200_000);
    const first = labelTexts({ _user: `${long}1` });
    expect(first).toEqual(labelTexts({ _user: `${long}1` }));
    expect(first).not.toEqual(labelTexts({ _user: `${long}2` }));
    expect(first._user).toMatch(/^x{100}…sha256:[0-9a-f]{64}$/);
  });

  it('include only the first ones if there are too many', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`label-${at}`, 'y'.repeat(190)]));
    const names = Object.keys(labelTexts(many));
    expect(names).toEqual(Object.keys(many).slice(0, names.length));
    expect(names.length).toBeGreaterThan(15);
  });
});
