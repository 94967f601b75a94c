import { expect, it } from 'vitest';
import { createHooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import { Mirrors } from '../../../../runtime/engine/call/mirrors.ts';

const mirrors = (copies: number, bytes: number): Mirrors =>
  new Mirrors({ hooks: createHooks(), admit: () => undefined, sends: true, bounds: { copies, bytes } });

it('does not let a tenant take the places of others', () => {
  const places = mirrors(8, 1000);
  const first = [places.take('a', 0), places.take('a', 0)];
  expect([places.take('a', 0), places.take('b', 0) !== undefined]).toEqual([undefined, true]);
  first[0]?.release();
  first[0]?.release();
  expect([places.take('a', 0) !== undefined, places.take('a', 0)]).toEqual([true, undefined]);
});

it('holds at most a quarter of the bytes for one tenant, and no more than all of them in total', () => {
  const places = mirrors(100, 1000);
  const place = places.take('a', 200);
  expect([place?.hold(50), place?.hold(1), places.take('a', 1)]).toEqual([true, false, undefined]);
  expect(['b', 'c', 'd'].map((tenant) => places.take(tenant, 250) !== undefined)).toEqual([true, true, true]);
  expect(places.take('e', 1)).toBe(undefined);
  place?.release();
  expect(places.take('e', 1) === undefined).toBe(false);
});

it('cancels what is running when it is closed, and accepts nothing more', async () => {
  const places = mirrors(8, 1000);
  const place = places.take('a', 0);
  const ended: string[] = [];
  place?.run(
    () =>
      new Promise((resolve) => {
        place.cancellation.onCancel(() => {
          ended.push('cancelled');
          resolve();
        });
      }),
  );
  await places.close();
  expect([ended, places.take('a', 0)]).toEqual([['cancelled'], undefined]);
});
