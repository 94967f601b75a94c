import { describe, expect, it } from 'vitest';
import type { Posting } from '../../../../plugins/control/limits/limits.ts';
import { memoryLimits } from '../../../../plugins/control/limits/memory-limits.ts';
import { createVirtualClock } from '../../../../plugins/testing/virtual-clock.ts';
import { limitsContract } from './support/limits-contract.ts';
import { type Note, worldStart } from './support/limits-world.ts';
import { memoryWorld } from './support/memory-world.ts';
import { lasting, minute, oneRequest, tokens } from './support/sample-charges.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Counters in memory before a ledger that can be made to fail. */
const openWith = () => {
  const clock = createVirtualClock(worldStart);
  const batches: (readonly Posting<Note>[])[] = [];
  const said: string[] = [];
  const ledger = { fails: false };
  const limits = memoryLimits<Note>({
    clock,
    postings: {
      async post(batch) {
        if (ledger.fails) throw new Error('disk full');
        batches.push(batch);
      },
    },
    say: (text) => said.push(text),
  });
  const settle = (id: string): void => {
    limits.reserve(id, [tokens(0)], lasting);
    limits.settle(id, [tokens(1)], { note: id });
  };
  return { clock, batches, said, ledger, limits, settle };
};

describe('counters in memory', () => {
  limitsContract(memoryWorld);

  it('post in batches a quarter of a second long, with one timer, and none when there is nothing to do', async () => {
    const { clock, batches, limits, settle } = openWith();
    expect(clock.pending).toBe(0);
    for (const id of ['a', 'b', 'c']) settle(id);
    expect(clock.pending).toBe(1);
    clock.advance(250);
    await turn();
    settle('d');
    clock.advance(250);
    await turn();
    expect(batches.map((batch) => batch.map(({ id }) => id))).toEqual([['a', 'b', 'c'], ['d']]);
    clock.advance(40 * 24 * 60 * minute);
    expect(clock.pending).toBe(0);
    await limits.close();
  });

  it('keep what the ledger does not take, tell it once, and post it in order when it does', async () => {
    const { clock, batches, said, ledger, settle, limits } = openWith();
    ledger.fails = true;
    settle('a');
    for (let round = 0; round < 5; round += 1) {
      clock.advance(250);
      await turn();
    }
    expect(said).toEqual(['gw: The ledger does not take postings, which wait and are sent again: disk full\n']);
    ledger.fails = false;
    settle('b');
    clock.advance(250);
    await turn();
    expect(batches.flat().map(({ id }) => id)).toEqual(['a', 'b']);
    await limits.close();
  });

  it('post what is settled and what is reserved when they are closed, and tell what is lost', async () => {
    const open = openWith();
    open.settle('a');
    open.limits.reserve('b', [tokens(7)], lasting);
    await open.limits.close();
    expect(open.batches.flat().map(({ id }) => id)).toEqual(['a', 'b']);
    expect(open.clock.pending).toBe(0);

    const failing = openWith();
    failing.settle('a');
    failing.ledger.fails = true;
    await failing.limits.close();
    expect(failing.said.at(-1)).toContain('1 postings are lost');
  });

  it('forget the windows that have ended', async () => {
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

  it('begin with the sums of the ledger, but for those of windows that have ended', async () => {
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
});
