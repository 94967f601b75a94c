import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Delivery, type DeliveryBounds, type Sent } from '../../../../plugins/sdk/delivery/delivery.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const bounds: DeliveryBounds = {
  ...{ items: 40, bytes: 4000, batchItems: 4, batchBytes: 100 },
  ...{ gatherMs: 100, sendMs: 1000, maxAgeMs: 10_000 },
};

/** A queue whose receiver answers each batch with the next entry of the script, and accepts everything after that. */
const scripted = (script: readonly (Sent | 'hang' | 'throw')[], changed: Partial<DeliveryBounds> = {}) => {
  const clock = createVirtualClock();
  const sent: (readonly number[])[] = [];
  const said: (string | undefined)[] = [];
  const left = [...script];
  const delivery = new Delivery<number>({
    bounds: { ...bounds, ...changed },
    clock,
    random: () => 0.5,
    say: ({ failing }) => said.push(failing),
    send: (batch) => {
      sent.push(batch);
      const answer = left.shift() ?? { kind: 'delivered' };
      if (answer === 'throw') throw new Error('The receiver is away.');
      return answer === 'hang' ? new Promise(() => {}) : Promise.resolve(answer);
    },
  });
  return { clock, delivery, sent, said };
};

const again = (afterMs?: number): Sent => ({
  kind: 'again',
  reason: 'It is busy.',
  ...(afterMs !== undefined && { afterMs }),
});

it('sends the items added within the gather time as batches of limited size', async () => {
  const { clock, delivery, sent } = scripted([]);
  for (const item of [1, 2, 3, 4, 5]) delivery.add(item, { tenant: 'a', bytes: 10 });
  delivery.add(6, { tenant: 'b', bytes: 90 });
  await clock.settle(delivery.close(1000));
  expect(sent).toEqual([
    [1, 2, 3, 4],
    [5, 6],
  ]);
  expect(delivery.counts()).toMatchObject({ waiting: 0, delivered: 6 });
});

it('retries a batch with growing delays, or with the delay that the receiver requests', async () => {
  const { clock, delivery, sent, said } = scripted([again(), 'throw', again(2000)]);
  delivery.add(1, { tenant: 'a', bytes: 10 });
  while (delivery.counts().waiting > 0) await clock.settle(new Promise<void>((resolve) => clock.after(1, resolve)));
  // 100 ms to gather, two delays of its own (375 and 750 ms), and the requested 2,000 ms.
  expect(clock.monotonic()).toBe(100 + 375 + 750 + 2000);
  expect([sent.length, delivery.counts().retries]).toEqual([4, 3]);
  expect(said).toEqual(['It is busy.', 'The receiver is away.', 'It is busy.', undefined]);
});

it('times out a receiver that never answers, and drops items that are too old', async () => {
  const { clock, delivery, sent } = scripted(Array.from({ length: 40 }, () => 'hang' as const));
  delivery.add(1, { tenant: 'a', bytes: 10 });
  while (delivery.counts().waiting > 0) await clock.settle(new Promise<void>((resolve) => clock.after(100, resolve)));
  expect(clock.monotonic()).toBeLessThanOrEqual(bounds.maxAgeMs + bounds.sendMs + 100);
  expect(sent.length).toBeGreaterThan(2);
  expect(delivery.counts()).toMatchObject({ delivered: 0, expired: 1 });
});

it('closes within its grace period, whatever the receiver does', async () => {
  const { clock, delivery } = scripted(['hang']);
  for (const item of [1, 2, 3]) delivery.add(item, { tenant: 'a', bytes: 10 });
  await clock.settle(delivery.close(700));
  expect(clock.monotonic()).toBe(700);
  expect(delivery.add(4, { tenant: 'a', bytes: 10 })).toBe(false);
  expect(delivery.counts()).toMatchObject({ waiting: 0, expired: 3, dropped: 1 });
  expect(clock.pending).toBe(0);
});

it('immediately sends a batch that waits for a retry when it is closed', async () => {
  const { clock, delivery, sent } = scripted([again(9000)]);
  delivery.add(1, { tenant: 'a', bytes: 10 });
  await clock.settle(new Promise<void>((resolve) => void clock.after(200, resolve)));
  await clock.settle(delivery.close(5000));
  expect(clock.monotonic()).toBe(200);
  expect(sent).toHaveLength(2);
  expect(delivery.counts()).toMatchObject({ waiting: 0, delivered: 1, expired: 0 });
});

it('gives up while closing if the receiver keeps failing or requests a long delay', async () => {
  for (const [answers, attempts] of [
    [Array.from({ length: 9 }, () => again()), 4],
    [[again(6000)], 1],
  ] as const) {
    const { clock, delivery, sent } = scripted(answers);
    for (const item of [1, 2, 3, 4, 5]) delivery.add(item, { tenant: 'a', bytes: 10 });
    await clock.settle(delivery.close(30_000));
    expect(clock.monotonic()).toBeLessThan(5000);
    expect(sent).toHaveLength(attempts);
    expect(delivery.counts()).toMatchObject({ waiting: 0, delivered: 0, expired: 5 });
    expect(clock.pending).toBe(0);
  }
});

it('allows one tenant a quarter of its items and bytes', () => {
  const { delivery } = scripted(['hang']);
  const add = (tenant: string, bytes: number): boolean => delivery.add(0, { tenant, bytes });
  expect(Array.from({ length: 11 }, () => add('a', 10)).filter(Boolean)).toHaveLength(10);
  expect([add('b', 1001), add('b', 1000), add('b', 1), add('c', 1)]).toEqual([false, true, false, true]);
});

const tooLarge: Sent = { kind: 'refused', reason: 'It answered 413.', isTooLarge: true };

it('splits a batch that is too large for the receiver until it is accepted, and then sends smaller batches', async () => {
  const { clock, delivery, sent, said } = scripted([tooLarge, tooLarge]);
  for (const item of [1, 2, 3, 4, 5]) delivery.add(item, { tenant: 'a', bytes: 10 });
  await clock.settle(delivery.close(1000));
  expect(sent).toEqual([[1, 2, 3, 4], [1, 2], [1], [2], [3], [4], [5]]);
  expect(delivery.counts()).toMatchObject({ delivered: 5, refused: 0, retries: 2 });
  expect(said).toEqual([]);
});

it('grows batches back to their former size if the receiver accepts them again', async () => {
  const { clock, delivery, sent } = scripted([tooLarge, tooLarge], { items: 2000, bytes: 200_000 });
  for (let item = 0; item < 300; item += 1) delivery.add(item, { tenant: 'a', bytes: 25 });
  await clock.settle(delivery.close(1000));
  expect(sent.slice(0, 3).map(({ length }) => length)).toEqual([4, 2, 1]);
  expect(Math.max(...sent.slice(3).map(({ length }) => length))).toBe(4);
  expect(delivery.counts()).toMatchObject({ delivered: 300, refused: 0 });
});

it('drops only the item that is too large on its own', async () => {
  const { clock, delivery, said } = scripted([tooLarge, tooLarge]);
  for (const bytes of [90, 5, 5]) delivery.add(bytes, { tenant: 'a', bytes });
  await clock.settle(delivery.close(1000));
  expect(delivery.counts()).toMatchObject({ delivered: 2, refused: 1 });
  expect(said).toEqual(['It answered 413.', undefined]);
});

const answers = fc.oneof(
  fc.constant<Sent>({ kind: 'delivered' }),
  fc.constantFrom<Sent>({ kind: 'refused', reason: 'It is not valid.' }, tooLarge),
  fc.constantFrom(again(), again(700), again(1e12)),
  fc.constantFrom('hang' as const, 'throw' as const),
);

const added = fc.record({
  afterMs: fc.constantFrom(0, 0, 0, 50, 400, 5000),
  tenant: fc.constantFrom('', 'a', 'b', 'c', 'd'),
  bytes: fc.nat({ max: 150 }),
});

it('accounts for every added item, in order and within its limits', async () => {
  const script = fc.array(answers, { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(script, fc.array(added, { maxLength: 80 }), async (receiver, items) => {
      const { clock, delivery, sent } = scripted(receiver, { items: 16, bytes: 1200 });
      const taken: number[] = [];
      for (const [index, { afterMs, tenant, bytes }] of items.entries()) {
        if (afterMs > 0) await clock.settle(new Promise<void>((resolve) => clock.after(afterMs, resolve)));
        if (delivery.add(index, { tenant, bytes })) taken.push(index);
        expect(delivery.counts().waiting).toBeLessThanOrEqual(16);
      }
      await clock.settle(delivery.close(3000));
      const { waiting, delivered, dropped, refused, expired } = delivery.counts();
      expect([waiting, dropped]).toEqual([0, items.length - taken.length]);
      expect(delivered + refused + expired).toBe(taken.length);
      // A batch that is sent again is the same batch, or the first part of one that was too large.
      for (const [index, batch] of sent.entries())
        if (batch[0] === sent[index - 1]?.[0]) expect(batch).toEqual(sent[index - 1]?.slice(0, batch.length));
      const first = [...new Set(sent.flat())];
      expect(first).toEqual(taken.filter((item) => first.includes(item)));
      expect(clock.pending).toBe(0);
    }),
    lawRuns,
  );
});

it('counts the items that the receiver rejects within an accepted batch', async () => {
  const reason = 'It refused one.';
  const { clock, delivery, said } = scripted([{ kind: 'delivered', refused: { count: 1, reason } }]);
  for (const item of [1, 2, 3]) delivery.add(item, { tenant: 'a', bytes: 10 });
  await clock.settle(delivery.close(1000));
  expect(delivery.counts()).toMatchObject({ delivered: 2, refused: 1, waiting: 0 });
  expect(said).toEqual([reason]);
});

it('sends a batch without waiting as soon as it is full', async () => {
  const { clock, delivery, sent } = scripted([], { gatherMs: 60_000 });
  for (const item of [1, 2, 3]) delivery.add(item, { tenant: 'a', bytes: 10 });
  await clock.settle(new Promise<void>((resolve) => clock.after(1000, resolve)));
  expect(sent).toEqual([]);
  delivery.add(4, { tenant: 'a', bytes: 10 });
  await clock.settle(new Promise<void>((resolve) => clock.after(1, resolve)));
  expect(sent).toEqual([[1, 2, 3, 4]]);
  await clock.settle(delivery.close(1000));
});
