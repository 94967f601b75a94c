import { expect, it } from 'vitest';
import { remembered } from '../../../../../plugins/telemetry/otlp/export/remembered.ts';

it('a value is created once for the same arguments, and again after too many others', () => {
  let made = 0;
  const toMade = remembered((...parts: readonly (string | number | null)[]) => {
    made += 1;
    return { parts };
  });
  const common = [[], [''], ['a'], ['a', null], ['a', 1], ['a', '1']];
  for (let round = 0; round < 2; round += 1) for (const parts of common) expect(toMade(...parts)).toEqual({ parts });
  expect(made).toBe(common.length);
  for (let at = 0; at < 20_000; at += 1) toMade('other', at);
  for (const parts of common) expect(toMade(...parts)).toEqual({ parts });
  expect(made).toBe(common.length + 20_000 + common.length);
});
