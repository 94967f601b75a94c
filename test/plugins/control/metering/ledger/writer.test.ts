import { expect, it, onTestFinished } from 'vitest';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import { type Store, StoreError } from '../../../../../plugins/control/kernel/store/store.ts';
import { counterSums, pruneLedger } from '../../../../../plugins/control/metering/ledger/ledger-store.ts';
import {
  LedgerWriter,
  type LedgerWriterOptions,
} from '../../../../../plugins/control/metering/ledger/ledger-writer.ts';
import type { LedgerEntry, Posting } from '../../../../../plugins/control/metering/ledger/posting.ts';
import { shortId } from '../../../../../plugins/control/metering/ledger/short-id.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';
import { temporaryStore } from '../../support/temporary-store.ts';
import { monday, postAll, toCharge, toEntry, toPosting, toUsage } from './sample-posting.ts';
import { savePolicy } from './save-policy.ts';

const opened = async (options: Partial<LedgerWriterOptions> = {}) => {
  const temporary = await temporaryStore();
  onTestFinished(() => temporary[Symbol.asyncDispose]());
  const { store } = temporary;
  const clock = jumpingClock(monday);
  const said: string[] = [];
  const state = { isUnavailable: false };
  const perform: Store['perform'] = (job, text) =>
    state.isUnavailable ? Promise.reject(new StoreError('The store is unavailable.')) : store.perform(job, text);
  const writer = new LedgerWriter({ store: { perform }, clock, say: (text) => said.push(text), ...options });
  const post = (...postings: readonly Posting<LedgerEntry>[]): void => postAll(writer, postings);
  const rows = () => store.db.selectFrom('ledger').selectAll().orderBy('id').execute();
  const sums = async () => {
    const { sum } = store.db.fn;
    const { attempts, requests, nano_usd } = await store.db
      .selectFrom('usage_hours')
      .select([sum('attempts').as('attempts'), sum('requests').as('requests'), sum('nano_usd').as('nano_usd')])
      .executeTakeFirstOrThrow();
    return { attempts, requests, nano_usd };
  };
  return { store, clock, said, state, writer, post, rows, sums };
};

it('writes a posting half a second later, with its charges and sums', async () => {
  const { post, clock, rows, store } = await opened();
  post(toPosting({ id: 'a' }));
  expect(await rows()).toEqual([]);
  clock.advance(500);
  await expect.poll(rows).toHaveLength(1);
  expect(await rows()).toMatchObject([
    { id: 'a', model: 'gpt-4o', answered_model: 'gpt-4o-2024-08-06', input_tokens: 100, nano_usd: 1500, requests: 1 },
  ]);
  expect(await counterSums(store, monday)).toEqual([toCharge()]);
});

it('writes postings that arrive during a write together, half a second later, unless a caller waits', async () => {
  const batches: PromiseWithResolvers<void>[] = [];
  const perform: Store['perform'] = () => {
    const batch = Promise.withResolvers<void>();
    batches.push(batch);
    return batch.promise;
  };
  const { post, clock, writer } = await opened({ store: { perform } });
  const settle = async (batch: number): Promise<void> => {
    batches[batch]?.resolve();
    await new Promise((run) => setImmediate(run));
  };
  post(toPosting({ id: 'a' }));
  clock.advance(500);
  post(toPosting({ id: 'b' }));
  await settle(0);
  post(toPosting({ id: 'c' }));
  expect(batches).toHaveLength(1);
  clock.advance(500);
  expect(batches).toHaveLength(2);
  await settle(1);
  clock.advance(500);
  expect(batches).toHaveLength(2);
  post(toPosting({ id: 'd' }));
  clock.advance(500);
  const written = writer.committed.post([toPosting({ id: 'e' })]);
  await settle(2);
  expect(batches).toHaveLength(4);
  await settle(3);
  await written;
});

it('writes an id once, however often it is posted', async () => {
  const { writer, post, said, sums, store } = await opened();
  post(toPosting({ id: 'a' }), toPosting({ id: 'a' }));
  await writer.flush();
  post(toPosting({ id: 'a' }), toPosting({ id: 'b', entry: toEntry({ isFirst: false }) }));
  await writer.flush();
  await writer.committed.post([toPosting({ id: 'b' })]);
  expect(await sums()).toEqual({ attempts: 2, requests: 1, nano_usd: 3000 });
  expect(said).toEqual([]);
  expect(await counterSums(store, monday)).toEqual([toCharge({ amount: 240 })]);
});

it('sums each counter in the latest window that has begun, and in future ones that a fast clock opened', async () => {
  const { writer, post, store } = await opened();
  const hour = 3_600_000;
  const at = [-2, -1, 1, 3].map((after) => monday + after * hour);
  for (const window of at) post(toPosting({ id: String(window), charges: [toCharge({ window })] }));
  await writer.flush();
  const windows = (await counterSums(store, monday)).map(({ window }) => window);
  expect(windows.toSorted()).toEqual(at.slice(1));
});

it('writes the difference to an estimate, so that both rows add up to the actual usage', async () => {
  const { writer, post, rows, sums, store } = await opened();
  const estimate = toEntry({ usage: toUsage({ kind: 'estimated', input: { total: 90 }, output: { total: 400 } }) });
  const correction = { corrects: 'a', charges: [toCharge({ amount: -280 })], entry: toEntry({ at: monday + 9e6 }) };
  post(toPosting({ id: 'a', entry: estimate, charges: [toCharge({ amount: 400 })] }));
  post(toPosting({ id: 'b', ...correction }));
  await writer.flush();
  post(toPosting({ id: 'b', ...correction }));
  await writer.flush();
  expect(await rows()).toMatchObject([
    { id: 'a', output_tokens: 400 },
    { id: 'b', corrects: 'a', at: monday, attempts: 0, input_tokens: 10, output_tokens: -380, cache_read_tokens: 40 },
  ]);
  expect(await sums()).toEqual({ attempts: 1, requests: 1, nano_usd: 1500 });
  const hours = await store.db.selectFrom('usage_hours').selectAll().execute();
  expect(hours).toMatchObject([{ reported: 1, estimated: 0, output_tokens: 20 }]);
  expect(await counterSums(store, monday)).toEqual([toCharge({ amount: 120 })]);
});

it('keeps postings and retries while the store is unavailable, and reports this once', async () => {
  const { writer, post, clock, said, state, sums } = await opened();
  state.isUnavailable = true;
  post(toPosting({ id: 'a' }));
  for (let tries = 0; tries < 5; tries += 1) {
    clock.advance(30_000);
    await writer.flush();
  }
  expect(said).toEqual([
    'gw: The ledger cannot be written: The store is unavailable. What requests use is kept in memory until it can.\n',
  ]);
  expect(writer.failure()).toBe('The store is unavailable.');
  state.isUnavailable = false;
  clock.advance(30_000);
  await expect.poll(sums).toEqual({ attempts: 1, requests: 1, nano_usd: 1500 });
  expect(writer.failure()).toBeUndefined();
  expect(said.slice(1)).toEqual(['gw: The ledger is written again.\n']);
});

it('retries after 1 s while the store is unavailable, then after twice as long each time, up to 30 s', async () => {
  const clock = jumpingClock(monday);
  const waits: number[] = [];
  const scheduled = {
    ...clock,
    after(ms: number, run: () => void) {
      waits.push(ms);
      return clock.after(ms, run);
    },
  };
  const { post, state, rows } = await opened({ clock: scheduled });
  state.isUnavailable = true;
  post(toPosting({ id: 'a' }));
  for (let tries = 1; tries <= 8; tries += 1) {
    clock.advance(waits.at(-1) ?? 0);
    await expect.poll(() => waits.length).toBe(tries + 1);
  }
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  state.isUnavailable = false;
  clock.advance(30_000);
  await expect.poll(rows).toHaveLength(1);
  post(toPosting({ id: 'b' }));
  await expect.poll(() => waits.length).toBe(10);
  expect(waits.at(-1)).toBe(500);
});

it('adds up postings beyond its limit, so that no sum is lost', async () => {
  const { writer, post, said, state, sums, rows, store } = await opened({ maxWaiting: 10 });
  state.isUnavailable = true;
  for (let at = 0; at < 300; at += 1)
    post(toPosting({ id: `p${at}`, entry: toEntry({ metadata: { _user: `user-${at % 7}` } }) }));
  post(toPosting({ id: 'p299' }), toPosting({ id: 'p3' }));
  await writer.flush();
  state.isUnavailable = false;
  await writer.flush();
  expect(await sums()).toEqual({ attempts: 300, requests: 300, nano_usd: 450_000 });
  expect(await counterSums(store, monday)).toEqual([toCharge({ amount: 36_000 })]);
  expect((await rows()).length).toBeLessThan(25);
  expect(said.filter((text) => text.includes('More than 10 postings'))).toHaveLength(1);
  expect(writer.lost.postings).toBe(0);
});

it('counts and reports postings for which there is no room at all', async () => {
  const { writer, post, said, state, sums } = await opened({ maxWaiting: 4 });
  state.isUnavailable = true;
  for (let at = 0; at < 50; at += 1) post(toPosting({ id: `p${at}`, entry: toEntry({ key: `k${at}` }) }));
  state.isUnavailable = false;
  await writer.close();
  const { attempts, nano_usd } = await sums();
  const lost = 50 - Number(attempts);
  expect(lost).toBeGreaterThan(0);
  expect(writer.lost).toEqual({ postings: lost, attempts: lost, nanoUsd: BigInt(75_000 - Number(nano_usd)) });
  expect(said.at(-1)).toMatch(`gw: ${lost} postings are not in the ledger: ${lost} attempts, of 0.0000`);
});

it('skips a row that cannot be written, and writes the others', async () => {
  const { writer, post, said, rows } = await opened();
  const bad = toEntry({ usage: toUsage({ input: { total: 0.5 } }) });
  post(toPosting({ id: 'a' }), toPosting({ id: 'b', entry: bad }), toPosting({ id: 'c' }));
  // The database refuses this row, because the column must not be null.
  const refused = toEntry();
  Object.assign(refused, { workspace: null });
  post(toPosting({ id: 'd', entry: refused }), toPosting({ id: 'e' }));
  await writer.flush();
  expect((await rows()).map(({ id }) => id)).toEqual(['a', 'c', 'e']);
  expect(writer.lost.postings).toBe(2);
  expect(said).toHaveLength(1);
});

it('limits the cost of an attempt to a thousand dollars, as counters do', async () => {
  const { writer, post, rows, sums } = await opened();
  const cost = { nanoUsd: 5e13, prices: 'gateway file' };
  post(toPosting({ id: 'a', entry: toEntry({ usage: toUsage({ cost }) }) }));
  await writer.flush();
  expect((await rows()).map(({ nano_usd }) => nano_usd)).toEqual([1e12]);
  expect(await sums()).toMatchObject({ attempts: 1, nano_usd: 1e12 });
  expect(writer.lost.postings).toBe(0);
});

it('resolves `committed.post` when the postings are written, and rejects it if the writer is closed first', async () => {
  const { writer, state, rows, clock } = await opened();
  await writer.committed.post([toPosting({ id: 'a' }), toPosting({ id: 'b' })]);
  expect(await rows()).toHaveLength(2);
  state.isUnavailable = true;
  const waiting = writer.committed.post([toPosting({ id: 'c' })]);
  await writer.flush();
  state.isUnavailable = false;
  clock.advance(30_000);
  await waiting;
  expect(await rows()).toHaveLength(3);
  state.isUnavailable = true;
  const unwritten = writer.committed.post([toPosting({ id: 'd' })]);
  const outcome = expect(unwritten).rejects.toThrow(StoreError);
  await writer.close();
  await outcome;
  expect(writer.lost.postings).toBe(0);
});

it('writes the remaining postings when it is closed', async () => {
  const { writer, post, rows } = await opened();
  post(toPosting({ id: 'a' }));
  await writer.close();
  expect(await rows()).toHaveLength(1);
});

it('sums counters in their latest windows, including what an operator took off them', async () => {
  const { writer, post, store } = await opened();
  const charges = [toCharge({ window: monday }), toCharge({ bucket: 'old', window: monday - 400 * 86_400_000 })];
  post(toPosting({ id: 'a', charges: [...charges, toCharge({ window: monday - 60_000 })] }));
  post(toPosting({ id: 'b', charges: [toCharge({ unit: 'nanoUsd', amount: 9e11 })] }));
  writer.adjust(toCharge({ window: monday, amount: -100 }));
  await writer.flush();
  const sums = await counterSums(store, monday);
  expect(sums.toSorted((one, other) => one.unit.localeCompare(other.unit))).toEqual([
    toCharge({ unit: 'nanoUsd', amount: 9e11 }),
    toCharge({ window: monday, amount: 20 }),
  ]);
});

it('keeps the sums of windows that limits still use, even if a later window has begun', async () => {
  const { writer, post, store } = await opened();
  await savePolicy(store, { id: toCharge().policy });
  const day = 86_400_000;
  const windows = [0, monday - 20 * day, monday - 10 * day, monday - 3 * day];
  for (const window of windows) post(toPosting({ id: String(window), charges: [toCharge({ window })] }));
  await writer.flush();
  const present = [0, monday - 20 * day];
  const read = async (): Promise<readonly number[]> =>
    (await counterSums(store, monday, present)).map(({ window }) => window).toSorted((one, other) => one - other);
  expect(await read()).toEqual([...present, monday - 3 * day]);
  await pruneLedger(store, { before: monday, now: monday, windows: present }, () => false);
  expect(await read()).toEqual([...present, monday - 3 * day]);
  await pruneLedger(store, { before: monday, now: monday }, () => false);
  expect(await read()).toEqual([monday - 3 * day]);
});

it('deletes old rows, and keeps their sums', async () => {
  const { writer, post, store, rows, sums } = await opened();
  const day = 86_400_000;
  const window = (at: number) => [toCharge({ window: at })];
  for (let age = 0; age < 5; age += 1)
    post(toPosting({ id: `p${age}`, charges: window(monday - age * day), entry: toEntry({ at: monday - age * day }) }));
  await writer.flush();
  await pruneLedger(store, { before: monday - 2 * day, now: monday }, () => false);
  expect((await rows()).map(({ id }) => id)).toEqual(['p0', 'p1', 'p2']);
  expect(await sums()).toEqual({ attempts: 5, requests: 5, nano_usd: 7500 });
  const counters = await store.db.selectFrom('counters').select('window_at').orderBy('window_at').execute();
  expect(counters.map(({ window_at }) => (monday - window_at) / day)).toEqual([2, 1, 0]);
  const charges = await store.db.selectFrom('ledger_charges').select('posting').orderBy('posting').execute();
  expect(charges.map(({ posting }) => posting)).toEqual(['p0', 'p1', 'p2']);
});

it('keeps the sums of all hours and labels of a day until the day is older than 400 days', async () => {
  const { writer, post, store } = await opened();
  const [hour, day] = [3_600_000, 86_400_000];
  for (const [id, at] of [1, 13].entries())
    post(toPosting({ id: String(id), entry: toEntry({ at: monday + at * hour, metadata: { team: 'a' } }) }));
  await writer.flush();
  const attempts = async () => {
    const { sum } = store.db.fn;
    const of = (table: 'usage_hours' | 'usage_labels') =>
      store.db.selectFrom(table).select(sum('attempts').as('attempts')).executeTakeFirstOrThrow();
    return [(await of('usage_hours')).attempts, (await of('usage_labels')).attempts];
  };
  await pruneLedger(store, { before: monday, now: monday + 400 * day + 13 * hour }, () => false);
  expect(await attempts()).toEqual([2, 2]);
  await pruneLedger(store, { before: monday, now: monday + 400 * day + 14 * hour }, () => false);
  expect(await attempts()).toEqual([null, null]);
});

it('deletes the oldest rows beyond the maximum size', async () => {
  const { writer, post, store, rows, sums } = await opened();
  const ids = Array.from({ length: 1200 }, () => newId(monday));
  post(...ids.map((id) => toPosting({ id })));
  await writer.flush();
  const kept = { before: 0, now: monday };
  await pruneLedger(store, { ...kept, maxBytes: 1e6 }, () => false);
  expect(await rows()).toHaveLength(1200);
  await pruneLedger(store, { ...kept, maxBytes: 50_000 }, () => false);
  const left = (await rows()).map(({ id }) => id);
  expect(left.length).toBeGreaterThan(200);
  expect(left.length).toBeLessThan(600);
  expect(left).toEqual(ids.slice(-left.length).map(shortId));
  expect(await sums()).toEqual({ attempts: 1200, requests: 1200, nano_usd: 1_800_000 });
});

it('deletes names when all postings that use them are old', async () => {
  const { writer, post, store } = await opened();
  const day = 86_400_000;
  for (const [at, id] of ['a', 'b', 'c'].entries())
    post(toPosting({ id, entry: toEntry({ at: monday - at * day, metadata: { id, at: String(Math.min(1, at)) } }) }));
  await writer.flush();
  const names = async () => (await store.db.selectFrom('ledger_names').selectAll().execute()).length;
  expect(await names()).toBe(4);
  await pruneLedger(store, { before: monday, now: monday }, () => false);
  expect(await names()).toBe(2);
  await pruneLedger(store, { before: monday + 2 * day, now: monday }, () => false);
  expect(await names()).toBe(0);
});

it('waits until all earlier postings are written, however long the store is unavailable', async () => {
  const { writer, clock, state, rows } = await opened();
  await writer.written();
  state.isUnavailable = true;
  for (const id of ['a', 'b']) writer.behind.take(toPosting({ id }));
  let isWritten = false;
  const written = writer.written().then(() => {
    isWritten = true;
  });
  await writer.flush();
  expect(isWritten).toBe(false);
  state.isUnavailable = false;
  clock.advance(60_000);
  await written;
  expect(await rows()).toHaveLength(2);
  state.isUnavailable = true;
  writer.behind.take(toPosting({ id: 'c' }));
  const last = writer.written();
  await writer.close();
  await last;
});
