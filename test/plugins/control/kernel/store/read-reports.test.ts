import { expect, it } from 'vitest';
import { inTime } from '../../../../../plugins/control/kernel/store/in-time.ts';
import { ReadReports } from '../../../../../plugins/control/kernel/store/read-reports.ts';
import { StoreError } from '../../../../../plugins/control/kernel/store/store.ts';
import { createStoreAsker, storeUnavailable } from '../../../../../plugins/control/kernel/store/store-asker.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';

const opened = () => {
  const said: string[] = [];
  let now = 0;
  const reports = new ReadReports({
    clock: { monotonic: () => now },
    say: (text) => said.push(text),
    staleAuthMs: 900_000,
  });
  const at = (ms: number): void => {
    now = ms;
  };
  return { reports, said, at };
};

const stopped = new StoreError('The store is stopped.');

it('reports a store that cannot be read for five seconds once, and once when all feeds are read again', () => {
  const { reports, said, at } = opened();
  const feeds = [reports.ofFeed(), reports.ofFeed()];
  for (const feed of feeds) feed.succeeded();
  expect(reports.failure()).toBeUndefined();
  for (const ms of [250, 4999]) {
    at(ms);
    for (const feed of feeds) feed.failed(stopped);
  }
  expect([said, reports.failure()]).toEqual([[], 'The store is stopped.']);
  for (const ms of [5000, 5250, 60_000]) {
    at(ms);
    for (const feed of feeds) feed.failed(stopped);
  }
  const unreadable =
    'gw: The store cannot be read: The store is stopped. Requests are served with known data, and known keys are accepted for 900 s at most.\n';
  expect(said).toEqual([unreadable]);
  feeds[0]?.succeeded();
  expect([said, reports.failure()]).toEqual([[unreadable], 'The store is stopped.']);
  feeds[1]?.succeeded();
  expect([said, reports.failure()]).toEqual([[unreadable, 'gw: The store is read again.\n'], undefined]);
});

it('names the cause of an error that callers receive', () => {
  const { reports } = opened();
  reports.ofFeed().failed(storeUnavailable('The store is stopped.'));
  expect(reports.failure()).toBe('The store is stopped.');
});

it('does not report a failure before the first success, because the gateway does not start', () => {
  const { reports, said, at } = opened();
  const feed = reports.ofFeed();
  at(20_000);
  feed.failed(stopped);
  expect(said).toEqual([]);
});

const never = (): Promise<never> => new Promise(() => {});

it('rejects with a sentence that says what the store was asked for if it has not answered in time', async () => {
  const clock = jumpingClock(0);
  const asked = inTime(clock, 'its keys', never()).catch((error: unknown) => error);
  clock.advance(5000);
  const error = await asked;
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({
    message:
      'The store has not answered within 5 s, when it was asked for its keys. Find out whether it, its machine or its disk is overloaded.',
  });
});

it('gives that sentence to operators as the cause of what callers receive', async () => {
  const clock = jumpingClock(0);
  const asked = createStoreAsker({ clock, onUnavailable: () => {} })(never()).catch((error: unknown) => error);
  clock.advance(5000);
  expect(await asked).toMatchObject({
    report: { code: 'store-unavailable' },
    cause: expect.stringMatching(/^The store has not answered within 5 s, when it was asked for what is saved\./),
  });
});
