import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Delivery, type DeliveryBounds, type Sent } from '../../../../plugins/sdk/delivery/delivery.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { lawRuns } from '../../../support/law-runs.ts';

const bounds: DeliveryBounds = {
  ...{ items: 40, bytes: 4000, batchItems: 4, batchBytes: 100 },
  ...{ gatherMs: 100, sendMs: 1000, maxAgeMs: 10_000 },
};

/** A queue whose receiver answers as the script says, one answer for each batch, and takes everything after that. */
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

it('sends what was added within its time as one batch, and what is left as further ones', async () => {
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

it('tries a batch again with growing waits, or when the receiver asks for it', async () => {
  const { clock, delivery, sent, said } = scripted([again(), 'throw', again(2000)]);
  delivery.add(1, { tenant: 'a', bytes: 10 });
  while (delivery.counts().waiting > 0) await clock.settle(new Promise<void>((resolve) => clock.after(1, resolve)));
  // 100 to gather, 375 and 750 of its own, and 2,000.
  expect(clock.monotonic()).toBe(100 + 375 + 750 + 2000);
  expect([sent.length, delivery.counts().retries]).toEqual([4, 3]);
  expect(said).toEqual(['It is busy.', 'The receiver is away.', 'It is busy.', undefined]);
});

it('does not wait for a receiver that never answers, and gives up what is too old', async () => {
  const { clock, delivery, sent } = scripted(Array.from({ length: 40 }, () => 'hang' as const));
  delivery.add(1, { tenant: 'a', bytes: 10 });
  while (delivery.counts().waiting > 0) await clock.settle(new Promise<void>((resolve) => clock.after(100, resolve)));
  expect(clock.monotonic()).toBeLessThanOrEqual(bounds.maxAgeMs + bounds.sendMs + 100);
  expect(sent.length).toBeGreaterThan(2);
  expect(delivery.counts()).toMatchObject({ delivered: 0, expired: 1 });
});

it('ends within its grace, whatever the receiver does', async () => {
  const { clock, delivery } = scripted(['hang']);
  for (const item of [1, 2, 3]) delivery.add(item, { tenant: 'a', bytes: 10 });
  await clock.settle(delivery.close(700));
  expect(clock.monotonic()).toBe(700);
  expect(delivery.add(4, { tenant: 'a', bytes: 10 })).toBe(false);
  expect(delivery.counts()).toMatchObject({ waiting: 0, expired: 3, dropped: 1 });
  expect(clock.pending).toBe(0);
});

it('sends what waits for another attempt at once when it ends', async () => {
  const { clock, delivery, sent } = scripted([again(9000)]);
  delivery.add(1, { tenant: 'a', bytes: 10 });
  await clock.settle(new Promise<void>((resolve) => void clock.after(200, resolve)));
  await clock.settle(delivery.close(5000));
  expect(clock.monotonic()).toBe(200);
  expect(sent).toHaveLength(2);
  expect(delivery.counts()).toMatchObject({ waiting: 0, delivered: 1, expired: 0 });
});

it('gives up a receiver that keeps failing while it ends, or asks for a long wait then', async () => {
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

it('gives a tenant a quarter of its places and of its bytes', () => {
  const { delivery } = scripted(['hang']);
  const add = (tenant: string, bytes: number): boolean => delivery.add(0, { tenant, bytes });
  expect(Array.from({ length: 11 }, () => add('a', 10)).filter(Boolean)).toHaveLength(10);
  expect([add('b', 1001), add('b', 1000), add('b', 1), add('c', 1)]).toEqual([false, true, false, true]);
});

const tooLarge: Sent = { kind: 'refused', reason: 'It answered 413.', isTooLarge: true };

it('divides what is too large for its receiver until it is taken, and sends smaller batches after that', async () => {
  const { clock, delivery, sent, said } = scripted([tooLarge, tooLarge]);
  for (const item of [1, 2, 3, 4, 5]) delivery.add(item, { tenant: 'a', bytes: 10 });
  await clock.settle(delivery.close(1000));
  expect(sent).toEqual([[1, 2, 3, 4], [1, 2], [1], [2], [3], [4], [5]]);
  expect(delivery.counts()).toMatchObject({ delivered: 5, refused: 0, retries: 2 });
  expect(said).toEqual([]);
});

it('sends batches as large as before where the receiver takes more again', async () => {
  const { clock, delivery, sent } = scripted([tooLarge, tooLarge], { items: 2000, bytes: 200_000 });
  for (let item = 0; item < 300; item += 1) delivery.add(item, { tenant: 'a', bytes: 25 });
  await clock.settle(delivery.close(1000));
  expect(sent.slice(0, 3).map(({ length }) => length)).toEqual([4, 2, 1]);
  expect(Math.max(...sent.slice(3).map(({ length }) => length))).toBe(4);
  expect(delivery.counts()).toMatchObject({ delivered: 300, refused: 0 });
});

it('refuses an item that is too large alone, and no other', async () => {
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

it('accounts for all that was added, in order, within its bounds', async () => {
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
      // A batch that is sent again is the same, or the beginning of one that was too large.
      for (const [index, batch] of sent.entries())
        if (batch[0] === sent[index - 1]?.[0]) expect(batch).toEqual(sent[index - 1]?.slice(0, batch.length));
      const first = [...new Set(sent.flat())];
      expect(first).toEqual(taken.filter((item) => first.includes(item)));
      expect(clock.pending).toBe(0);
    }),
    lawRuns,
  );
});

it('counts apart what a receiver refuses of a batch that it takes', async () => {
  const reason = 'It refused one.';
  const { clock, delivery, said } = scripted([{ kind: 'delivered', refused: { count: 1, reason } }]);
  for (const item of [1, 2, 3]) delivery.add(item, { tenant: 'a', bytes: 10 });
  await clock.settle(delivery.close(1000));
  expect(delivery.counts()).toMatchObject({ delivered: 2, refused: 1, waiting: 0 });
  expect(said).toEqual([reason]);
});

it('does not wait for more items than a batch can have', async () => {
  const { clock, delivery, sent } = scripted([], { gatherMs: 60_000 });
  for (const item of [1, 2, 3]) delivery.add(item, { tenant: 'a', bytes: 10 });
  await clock.settle(new Promise<void>((resolve) => clock.after(1000, resolve)));
  expect(sent).toEqual([]);
  delivery.add(4, { tenant: 'a', bytes: 10 });
  await clock.settle(new Promise<void>((resolve) => clock.after(1, resolve)));
  expect(sent).toEqual([[1, 2, 3, 4]]);
  await clock.settle(delivery.close(1000));
});
