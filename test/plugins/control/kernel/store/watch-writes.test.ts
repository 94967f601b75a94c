import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openStore, watchWrites } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import { type Store, StoreError } from '../../../../../plugins/control/kernel/store/store.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';

interface Timer {
  readonly ms: number;
  readonly run: () => void;
}

const full = 'The file gateway.db cannot grow: the disk is full. Make room.';

/** A store whose writes fail while the test sets an error, and the timers that are set. */
const failingStore = async () => {
  const file = `${temporaryFolder()}/gateway.db`;
  const store = await openStore({ url: file, serving: false });
  const timers: Timer[] = [];
  let error: Error | undefined;
  let tried = 0;
  const failing: Store = {
    ...store,
    write: (run) => {
      tried += 1;
      return error === undefined ? store.write(run) : Promise.reject(error);
    },
  };
  const watched = watchWrites(failing, {
    after: (ms, run) => {
      const timer = { ms, run };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  });
  return {
    ...{ file, watched, timers },
    tried: () => tried,
    failWith: (next: Error | undefined) => {
      error = next;
    },
    write: () => watched.store.write((writing) => writing.selectFrom('feeds').selectAll().execute()),
    fire: () => timers.shift()?.run(),
  };
};

it('reports why a store cannot be written until a write succeeds again', async () => {
  const { watched, failWith, write, fire, timers, tried } = await failingStore();
  expect(watched.failure()).toBeUndefined();
  failWith(new StoreError(full));
  await expect(write()).rejects.toThrow(full);
  await expect(write()).rejects.toThrow(full);
  expect([watched.failure(), timers.length]).toEqual([full, 1]);
  fire();
  await expect.poll(() => timers.length).toBe(1);
  expect([watched.failure(), tried()]).toEqual([full, 3]);
  failWith(undefined);
  fire();
  await expect.poll(() => watched.failure()).toBeUndefined();
  expect(timers).toEqual([]);
  failWith(new StoreError(full));
  await expect(write()).rejects.toThrow(full);
  await watched.store.close();
  expect(timers).toEqual([]);
});

it('does not report an error of a request as a failure of the store', async () => {
  const { watched, failWith, write, timers } = await failingStore();
  failWith(new RangeError('This is no number.'));
  await expect(write()).rejects.toThrow(RangeError);
  expect([watched.failure(), timers.length]).toEqual([undefined, 0]);
  await watched.store.close();
});

it('tries a write that needs room on the disk, and changes nothing', async () => {
  const { file, watched, failWith, write, fire } = await failingStore();
  const { store } = watched;
  const before = await store.versions();
  failWith(new StoreError(full));
  await expect(write()).rejects.toThrow(full);
  failWith(undefined);
  const size = (): number => statSync(`${file}-wal`).size;
  const sizeBefore = size();
  fire();
  await expect.poll(() => watched.failure()).toBeUndefined();
  expect(size()).toBeGreaterThan(sizeBefore);
  expect(await store.versions()).toEqual(before);
  await store.close();
});
