import { describe, expect, it } from 'vitest';
import type { Charge } from '../../../../../plugins/control/metering/counters/limits.ts';
import { MemoryLimits } from '../../../../../plugins/control/metering/counters/memory-limits.ts';
import { createVirtualClock } from '../../../../../plugins/testkit/route/virtual-clock.ts';
import { limitsContract } from './support/limits-contract.ts';
import { type Note, worldStart } from './support/limits-world.ts';
import { memoryWorld } from './support/memory-world.ts';
import { readAnswer } from './support/read-answer.ts';
import { lasting, minute, oneRequest, tokens } from './support/sample-charges.ts';

const openWith = () => {
  const clock = createVirtualClock(worldStart);
  const posted: string[] = [];
  const limits = new MemoryLimits<Note>({ clock, postings: { take: ({ id }) => void posted.push(id) } });
  const settle = (id: string): void => {
    limits.reserve(id, [tokens(0)], lasting);
    limits.settle(id, [tokens(1)], { note: id });
  };
  return { clock, posted, limits, settle };
};

describe('counters in memory', () => {
  limitsContract(memoryWorld);

  it('post settlements immediately, with a single timer, which stops when there is nothing to do', async () => {
    const { clock, posted, limits, settle } = openWith();
    expect(clock.pending).toBe(0);
    for (const id of ['a', 'b', 'c']) settle(id);
    expect([posted, clock.pending]).toEqual([['a', 'b', 'c'], 1]);
    clock.advance(250);
    settle('d');
    expect(posted).toEqual(['a', 'b', 'c', 'd']);
    clock.advance(40 * 24 * 60 * minute);
    expect(clock.pending).toBe(0);
    await limits.close();
  });

  it('post what is still reserved when they are closed', async () => {
    const { clock, posted, limits, settle } = openWith();
    settle('a');
    limits.reserve('b', [tokens(7)], lasting);
    await limits.close();
    expect([posted, clock.pending]).toEqual([['a', 'b'], 0]);
  });

  it('discard windows that have ended', async () => {
    const { clock, limits } = openWith();
    for (let user = 0; user < 500; user += 1) {
      limits.reserve(`a${user}`, [{ ...oneRequest, bucket: String(user) }], { ttlMs: 1000, entry: { note: '' } });
      limits.reserve(`b${user}`, [{ ...oneRequest, policy: String(user) }], { ttlMs: 1000, entry: { note: '' } });
    }
    expect(limits.size()).toBe(1000);
    clock.advance(3 * minute);
    expect([limits.size(), clock.pending]).toEqual([0, 1]);
    await limits.close();
  });

  it('count in the windows of each reset if a policy is changed while requests run', async () => {
    const { clock, limits } = openWith();
    const bySecond = { ...tokens(10), reset: { every: 'second' } } as const;
    const byMinute = { ...tokens(10), reset: { every: 'minute' } } as const;
    const reserved = (id: string, charge: Charge): unknown => {
      const answer = limits.reserve(id, [charge], lasting);
      return answer.kind === 'granted' ? answer.counters[0]?.reserved : answer.kind;
    };
    // Both windows begin with the minute, so they share a counter. After a second, they no longer do.
    expect([reserved('a', bySecond), reserved('b', byMinute), reserved('c', bySecond)]).toEqual([10, 20, 30]);
    clock.advance(1000);
    expect([reserved('d', bySecond), reserved('e', byMinute), reserved('f', bySecond)]).toEqual([10, 40, 20]);
    await limits.close();
  });

  it('report when a refused charge may be granted by its own reset, also in a window that a longer one shares', async () => {
    const { limits } = openWith();
    const ends = [];
    for (const [id, every] of Object.entries({ a: 'minute', b: 'second', c: 'minute' } as const)) {
      const charge = { ...tokens(10), limit: 10, reset: { every } } as const;
      limits.reserve(`${id} first`, [charge], lasting);
      const answer = limits.reserve(`${id} second`, [charge], lasting);
      ends.push(answer.kind === 'refused' ? (answer.counter.resetsAt ?? 0) - worldStart : answer.kind);
    }
    expect(ends).toEqual([minute, 1000, minute]);
    await limits.close();
  });

  it('report how full the counters of a reservation were when it was made', async () => {
    const { limits } = openWith();
    const first = limits.reserve('a', [tokens(10)], lasting);
    limits.reserve('b', [tokens(20)], lasting);
    limits.settle('b', [tokens(30)], { note: 'b' });
    expect(await readAnswer(first)).toMatchObject({ counters: [{ used: 0, reserved: 10 }] });
    await limits.close();
  });

  it('read the ledger entry of a reservation only if the reservation expires', async () => {
    const { clock, posted, limits } = openWith();
    const asked: string[] = [];
    const options = (id: string) => ({
      ttlMs: minute,
      get entry() {
        asked.push(id);
        return { note: id };
      },
    });
    for (const id of ['settled', 'released', 'expired']) limits.reserve(id, [tokens(1)], options(id));
    limits.settle('settled', [tokens(1)], { note: 'used' });
    limits.release('released');
    clock.advance(2 * minute);
    expect([asked, posted]).toEqual([['expired'], ['settled', 'expired']]);
    await limits.close();
  });

  it('start with the sums of the ledger, except those of windows that have ended', async () => {
    const { limits } = openWith();
    const month = Date.UTC(2026, 3);
    limits.load([
      { ...tokens(0), window: month, used: 60 },
      { ...tokens(0), bucket: 'old', window: Date.UTC(2026, 2), used: 60 },
    ]);
    const places = [tokens(0), { ...tokens(0), bucket: 'old' }];
    expect((await limits.read(places)).map(({ used }) => used)).toEqual([60, 0]);
    await limits.close();
  });

  it('start with the sums of future windows, which a clock that was ahead had opened', async () => {
    const { clock, limits } = openWith();
    const sums = [0, minute, 3 * minute].map((after) => ({ ...oneRequest, window: worldStart + after, used: 2 }));
    limits.load(sums);
    const kinds = [];
    for (const id of ['now', 'next', 'free', 'later', 'after']) {
      const answer = limits.reserve(id, [oneRequest], lasting);
      kinds.push(answer.kind);
      clock.advance(minute);
    }
    expect(kinds).toEqual(['refused', 'refused', 'granted', 'refused', 'granted']);
    await limits.close();
  });
});
