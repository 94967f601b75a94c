import { expect, it } from 'vitest';
import { remembered } from '../../../../plugins/telemetry/traces/thread/remembered.ts';

it('a text is made once for the same arguments, and again where there were too many others', () => {
  let made = 0;
  const textOf = remembered((...parts: readonly (string | number | null)[]) => {
    made += 1;
    return JSON.stringify(parts);
  });
  const common = [[], [''], ['a'], ['a', null], ['a', 1], ['a', '1']];
  for (let round = 0; round < 2; round += 1)
    for (const parts of common) expect(textOf(...parts)).toBe(JSON.stringify(parts));
  expect(made).toBe(common.length);
  for (let at = 0; at < 20_000; at += 1) textOf('other', at);
  for (const parts of common) expect(textOf(...parts)).toBe(JSON.stringify(parts));
  expect(made).toBe(common.length + 20_000 + common.length);
});
