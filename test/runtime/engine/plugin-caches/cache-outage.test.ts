import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { CacheOutage } from '../../../../runtime/engine/plugin-caches/cache-outage.ts';

it('reports a second outage of a cache within a minute only if it lasts', () => {
  const clock = createVirtualClock();
  const said: string[] = [];
  const outage = new CacheOutage({ clock, name: 'It', advice: '', log: (text) => said.push(text) });
  const fail = (seconds: number): void => {
    for (let at = 0; at <= seconds * 2; at += 1) {
      outage.failed(new Error('No.'));
      clock.advance(500);
    }
    outage.succeeded();
  };
  const both = ['It does not work, so requests are served without it: No.', 'It works again.'];
  fail(2);
  expect(said.splice(0)).toEqual(both);
  fail(3);
  expect(said).toEqual([]);
  fail(6);
  expect(said.splice(0)).toEqual(both);
  clock.advance(60_000);
  fail(2);
  expect(said).toEqual(both);
});
