import { expect, it } from 'vitest';
import { commonResets, type Reset, toWindow } from '../../../../../../plugins/control/kernel/limits/limit-policy.ts';
import { maxBuckets } from '../../../../../../plugins/control/metering/counters/limits.ts';
import { type LimitsWorld, worldStart } from './limits-world.ts';
import { readAnswer } from './read-answer.ts';
import { lasting, minute, oneRequest, tokens } from './sample-charges.ts';

const monthEnd = Date.UTC(2026, 4, 1);

/** Defines the tests of every engine. Call it inside a `describe` whose title is a plural. */
export const limitsContract = (open: () => Promise<LimitsWorld>): void => {
  it('admit requests up to the limit, and start again in the next window', async () => {
    await using world = await open();
    const kinds = [];
    for (const id of ['a', 'b', 'c']) kinds.push((await world.limits.reserve(id, [oneRequest], lasting)).kind);
    expect(kinds).toEqual(['granted', 'granted', 'refused']);
    await world.pass(minute);
    expect(await readAnswer(world.limits.reserve('d', [oneRequest], lasting))).toEqual({
      kind: 'granted',
      counters: [
        {
          policy: 'two-a-minute',
          bucket: 'all',
          used: 0,
          reserved: 1,
          limit: 2,
          resetsAt: worldStart + 2 * minute,
        },
      ],
    });
  });

  it('admit tokens until they are used up, and none if the limit is 0', async () => {
    await using world = await open();
    const { limits } = world;
    expect((await limits.reserve('nothing', [{ ...tokens(0), limit: 0 }], lasting)).kind).toBe('refused');
    expect((await limits.reserve('a', [tokens(99)], lasting)).kind).toBe('granted');
    expect((await limits.reserve('b', [tokens(500)], lasting)).kind).toBe('granted');
    expect(await readAnswer(limits.reserve('c', [tokens(0)], lasting))).toEqual({
      kind: 'refused',
      counter: {
        policy: 'hundred-a-month',
        bucket: 'all',
        used: 0,
        reserved: 599,
        limit: 100,
        resetsAt: monthEnd,
      },
    });
  });

  it('answer a look as they would answer a reservation, but reserve nothing', async () => {
    await using world = await open();
    const { limits } = world;
    const looked = { used: 0, reserved: 0, policy: 'hundred-a-month', bucket: 'all', limit: 100, resetsAt: monthEnd };
    expect(await readAnswer(limits.peek([tokens(0)]))).toEqual({ kind: 'granted', counters: [looked] });
    expect(await limits.peek([{ ...tokens(0), limit: 0 }])).toMatchObject({ kind: 'refused' });
    await limits.reserve('a', [tokens(40)], lasting);
    limits.settle('a', [tokens(100)], { note: 'used' });
    const full = { kind: 'refused', counter: { ...looked, used: 100 } };
    expect(await readAnswer(limits.peek([oneRequest, tokens(0)]))).toEqual(full);
    expect(await limits.read([oneRequest, tokens(0)])).toMatchObject([{ reserved: 0 }, { used: 100, reserved: 0 }]);
    await limits.reset(tokens(0));
    expect((await limits.peek([tokens(0)])).kind).toBe('granted');
    await limits.reserve('b', [tokens(100)], lasting);
    expect((await limits.peek([tokens(0)])).kind).toBe('refused');
    await world.pass(3 * minute);
    expect((await limits.peek([tokens(0)])).kind).toBe('granted');
  });

  it('report when the counter of a reservation starts again by its own reset, whatever period it had before', async () => {
    await using world = await open();
    const daily = { every: 'days', days: 1, from: worldStart } as const;
    const resets: readonly Reset[] = [...commonResets, daily];
    // Periods that begin at the same moment share a window, such as this minute, its first second, and the days from then on.
    for (const [from, before] of resets.entries())
      for (const [to, reset] of resets.entries()) {
        const charge = { ...tokens(1), policy: `${from} to ${to}` };
        await world.limits.reserve(`before ${from} to ${to}`, [{ ...charge, reset: before }], lasting);
        const answer = await readAnswer(world.limits.reserve(`${from} to ${to}`, [{ ...charge, reset }], lasting));
        const resetsAt = answer.kind === 'granted' ? answer.counters[0]?.resetsAt : answer.kind;
        expect([before, reset, resetsAt]).toEqual([before, reset, toWindow(reset, world.now()).end]);
      }
  });

  it('make all charges of a reservation or none', async () => {
    await using world = await open();
    const { limits } = world;
    await limits.reserve('full', [tokens(100)], lasting);
    const refused = await limits.reserve('a', [oneRequest, tokens(1)], lasting);
    expect(refused).toMatchObject({ kind: 'refused', counter: { policy: 'hundred-a-month' } });
    const [requests] = await limits.read([oneRequest]);
    expect(requests).toMatchObject({ used: 0, reserved: 0 });
  });

  it('charge usage without a reservation once, and report it to the ledger', async () => {
    await using world = await open();
    const { limits } = world;
    await limits.reserve('a', [tokens(30)], lasting);
    const late = await limits.charge('late', [tokens(90)], { note: 'a batch' });
    // If the counters do not post it themselves, a process that ended before it wrote the ledger starts again.
    const again = await limits.charge('late', [tokens(90)], { note: 'a batch' });
    expect(again.posted).toEqual(late.posted);
    again.onStored();
    expect(await limits.read([tokens(0)])).toMatchObject([{ used: 90, reserved: 30 }]);
    expect((await limits.peek([tokens(0)])).kind).toBe('refused');
    await world.pass(minute);
    const known = (await world.ledger()).get('late');
    expect([...again.posted, ...(known?.charges ?? [])]).toEqual([
      { policy: 'hundred-a-month', bucket: 'all', unit: 'tokens', amount: 90, window: expect.any(Number) },
    ]);
  });

  it('charge usage in the window of its reservation', async () => {
    await using world = await open();
    const { limits } = world;
    await limits.reserve('a', [oneRequest, tokens(30)], lasting);
    await world.pass(3 * minute);
    limits.settle('a', [oneRequest, tokens(12)], { note: 'used' });
    limits.settle('a', [oneRequest, tokens(99)], { note: 'again' });
    limits.release('a');
    expect(await limits.read([oneRequest, tokens(0)])).toMatchObject([{ used: 0 }, { used: 0 }]);
    await world.pass(250);
    expect([...(await world.ledger()).values()]).toEqual([
      {
        id: 'a',
        entry: { note: 'used' },
        charges: [
          { policy: 'two-a-minute', bucket: 'all', unit: 'requests', amount: 1, window: worldStart },
          { policy: 'hundred-a-month', bucket: 'all', unit: 'tokens', amount: 12, window: Date.UTC(2026, 3) },
        ],
      },
    ]);
  });

  it('charge the estimate of an expired reservation, and correct it when the reservation is settled late', async () => {
    await using world = await open();
    const { limits } = world;
    await limits.reserve('a', [tokens(30)], { ttlMs: 1000, entry: { note: 'estimate' } });
    await world.pass(1000);
    expect(await limits.read([tokens(0)])).toMatchObject([{ used: 30, reserved: 0 }]);
    limits.settle('a', [tokens(12)], { note: 'used' });
    limits.settle('a', [tokens(12)], { note: 'again' });
    expect(await limits.read([tokens(0)])).toMatchObject([{ used: 12, reserved: 0 }]);
    await world.pass(250);
    const place = { policy: 'hundred-a-month', bucket: 'all', unit: 'tokens', window: Date.UTC(2026, 3) };
    expect([...(await world.ledger()).values()]).toEqual([
      { id: 'a', entry: { note: 'estimate' }, charges: [{ ...place, amount: 30 }] },
      { id: 'a~corrected', corrects: 'a', entry: { note: 'used' }, charges: [{ ...place, amount: -18 }] },
    ]);
  });

  it('give back a released reservation, unless it has expired', async () => {
    await using world = await open();
    const { limits } = world;
    await limits.reserve('a', [tokens(30)], { ttlMs: 1000, entry: { note: 'estimate' } });
    await limits.reserve('b', [tokens(7)], lasting);
    limits.release('b');
    expect(await limits.read([tokens(0)])).toMatchObject([{ used: 0, reserved: 30 }]);
    await world.pass(1000);
    limits.release('a');
    expect(await limits.read([tokens(0)])).toMatchObject([{ used: 30, reserved: 0 }]);
  });

  it('post an attempt without any charge', async () => {
    await using world = await open();
    expect(await readAnswer(world.limits.reserve('a', [], lasting))).toEqual({ kind: 'granted', counters: [] });
    world.limits.settle('a', [], { note: 'free' });
    await world.limits.read([]);
    await world.pass(250);
    expect([...(await world.ledger()).values()]).toEqual([{ id: 'a', entry: { note: 'free' }, charges: [] }]);
  });

  it('can be reset to 0, and do not fall below 0 because of a later correction', async () => {
    await using world = await open();
    const { limits } = world;
    await limits.reserve('a', [tokens(30)], { ttlMs: 1000, entry: { note: 'estimate' } });
    await world.pass(1000);
    expect(await limits.reset(tokens(0))).toMatchObject({ used: 30 });
    expect(await limits.reset({ ...tokens(0), bucket: 'unknown' })).toMatchObject({ used: 0 });
    limits.settle('a', [tokens(12)], { note: 'used' });
    expect(await limits.read([tokens(0)])).toMatchObject([{ used: 0 }]);
  });

  it('do not open a window twice if the time of day is set back, and do not stay in one forever', async () => {
    await using world = await open();
    const { limits } = world;
    await world.pass(minute + 1);
    await limits.reserve('a', [{ ...oneRequest, amount: 2 }], lasting);
    await world.jump(-minute);
    expect((await limits.reserve('b', [oneRequest], lasting)).kind).toBe('refused');
    await world.pass(minute);
    expect((await limits.reserve('c', [oneRequest], lasting)).kind).toBe('refused');
    await world.pass(minute);
    expect((await limits.reserve('d', [oneRequest], lasting)).kind).toBe('granted');
  });

  it.each([
    ['behind', -3 * minute],
    ['ahead', 3 * minute],
  ])('do not open a window twice if a clock that was %s by three minutes is corrected', async (_, wrong) => {
    await using world = await open();
    const { limits } = world;
    const fill = async (id: string) => limits.reserve(id, [{ ...oneRequest, amount: 2 }], lasting);
    const kinds = [(await fill('right')).kind];
    for (const id of ['a', 'b', 'c', 'd']) {
      await world.jump(wrong);
      kinds.push((await fill(`wrong-${id}`)).kind);
      await world.jump(-wrong);
      kinds.push((await fill(`right-${id}`)).kind);
    }
    // A clock that is ahead opens another window, but only once.
    expect(kinds.filter((kind) => kind === 'granted')).toHaveLength(wrong > 0 ? 2 : 1);
  });

  it('count in a shared bucket if there is no room for a separate one', async () => {
    await using world = await open();
    const { limits } = world;
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...tokens(1), bucket: `user-${from + index}` }));
    const half = maxBuckets / 2;
    await limits.reserve('first', many(0, half), lasting);
    await limits.reserve('second', many(half, half), lasting);
    const shared = await limits.reserve('third', [{ ...tokens(60), bucket: 'late' }], lasting);
    expect(shared).toMatchObject({ counters: [{ bucket: '*', reserved: 60 }] });
    await limits.reserve('fourth', [{ ...tokens(60), bucket: 'later' }], lasting);
    const refused = await limits.reserve('fifth', [{ ...tokens(1), bucket: 'latest' }], lasting);
    expect(refused).toMatchObject({ kind: 'refused', counter: { bucket: '*', reserved: 120 } });
    const known = await limits.reserve('sixth', [{ ...tokens(1), bucket: 'user-7' }], lasting);
    expect(known).toMatchObject({ counters: [{ bucket: 'user-7', reserved: 2 }] });
    limits.settle('third', [{ ...tokens(5), bucket: 'late' }], { note: 'shared' });
    expect(await limits.read([{ ...tokens(0), bucket: 'anyone' }])).toMatchObject([
      { bucket: '*', used: 5, reserved: 60 },
    ]);
  });
};
