import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Waiter, WaitingLine } from '../../../plugins/overload/waiting-line.ts';
import type { Rank } from '../../../plugins/sdk/overload/priority-rank.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

interface Named extends Waiter {
  readonly name: number;
}

const size = 12;
const maxBytes = 500;
const share = 3;
const shareOfBytes = 125;

/** The line as a plain list: higher ranks first, then the tenant whose last turn is longest ago, then by arrival. */
class PlainLine {
  readonly list: Named[] = [];
  /** The waiting tenants of each rank, in the order of their turns. */
  readonly #turns: string[][] = [[], [], []];

  get bytes(): number {
    return this.list.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  hasRoom({ tenant, bytes }: Waiter): boolean {
    if (this.list.length >= size || this.bytes + bytes > maxBytes) return false;
    if (tenant === '') return true;
    const own = this.list.filter((each) => each.tenant === tenant);
    const ownBytes = own.reduce((sum, each) => sum + each.bytes, 0);
    const hasPlace = this.list.length + 1 <= size - share || own.length < share;
    const areFree = this.bytes + bytes <= maxBytes - shareOfBytes;
    return hasPlace && (areFree || ownBytes === 0 || ownBytes + bytes <= shareOfBytes);
  }

  /** How many waiters are served before one that arrives now, if no others arrive. */
  ahead(waiter: Named): number {
    const line = new PlainLine();
    line.list.push(...this.list);
    for (const [rank, turns] of this.#turns.entries()) line.#turns[rank] = [...turns];
    line.add(waiter);
    let ahead = 0;
    while (line.next()?.name !== waiter.name) ahead += 1;
    return ahead;
  }

  add(waiter: Named): void {
    const turns = this.#turns[waiter.rank] ?? [];
    if (!turns.includes(waiter.tenant)) turns.push(waiter.tenant);
    this.list.push(waiter);
  }

  remove(waiter: Named): void {
    this.list.splice(this.list.indexOf(waiter), 1);
    const { rank, tenant } = waiter;
    if (this.list.some((each) => each.rank === rank && each.tenant === tenant)) return;
    this.#turns[rank] = (this.#turns[rank] ?? []).filter((each) => each !== tenant);
  }

  next(): Named | undefined {
    for (const rank of [2, 1, 0] as const) {
      const tenant = this.#turns[rank]?.[0];
      const next = this.list.find((each) => each.rank === rank && each.tenant === tenant);
      if (next === undefined) continue;
      this.remove(next);
      this.#turns[rank] = (this.#turns[rank] ?? []).filter((each) => each !== tenant);
      if (this.list.some((each) => each.rank === rank && each.tenant === tenant)) this.#turns[rank]?.push(next.tenant);
      return next;
    }
    return undefined;
  }
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      rank: fc.constantFrom<Rank>(0, 1, 2),
      tenant: fc.constantFrom('', 'a', 'b', 'c'),
      bytes: fc.integer({ min: 0, max: 120 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('next' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), of: fc.nat(20) }) },
);

describe('the waiting line of a target', () => {
  it('behaves like the plain line, never exceeds its bounds, and loses no waiter', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const line = new WaitingLine<Named>({ size, bytes: maxBytes });
        const plain = new PlainLine();
        let name = 0;
        for (const each of steps) {
          if (each.do === 'add') {
            const { rank, tenant, bytes } = each;
            const waiter = { rank, tenant, bytes, name: name++ };
            expect(line.makesRoom(waiter)?.length === 0).toBe(plain.hasRoom(waiter));
            if (!plain.hasRoom(waiter)) continue;
            expect(line.ahead(waiter)).toBe(plain.ahead(waiter));
            line.add(waiter);
            plain.add(waiter);
          } else if (each.do === 'next') expect(line.next()?.name).toBe(plain.next()?.name);
          else {
            const left = plain.list[each.of];
            if (left === undefined) continue;
            expect(line.remove(left)).toBe(true);
            expect(line.remove(left)).toBe(false);
            plain.remove(left);
          }
          expect(line.length).toBe(plain.list.length);
          expect(line.bytes).toBe(plain.bytes);
          expect(line.length).toBeLessThanOrEqual(size);
          expect(line.bytes).toBeLessThanOrEqual(maxBytes);
        }
        const rest = Array.from({ length: plain.list.length }, () => line.next()?.name);
        expect(rest).toEqual(Array.from({ length: rest.length }, () => plain.next()?.name));
        expect(line.next()).toBeUndefined();
      }),
      lawRuns,
    );
  });

  it('leaves a quarter of its bytes to others if one tenant waits with large bodies', () => {
    const line = new WaitingLine<Named>({ size, bytes: maxBytes });
    const large = { rank: 1, tenant: 'a', bytes: 120, name: 0 } as const;
    for (const name of [1, 2, 3]) line.add({ ...large, name });
    expect(line.makesRoom(large)).toBeUndefined();
    expect(line.makesRoom({ ...large, tenant: 'b' })).toEqual([]);
    expect(line.makesRoom({ ...large, tenant: '' })).toEqual([]);
  });

  it('has room for a body that is larger than a quarter of its bytes if its tenant has none there', () => {
    const line = new WaitingLine<Named>({ size, bytes: maxBytes });
    expect(line.makesRoom({ rank: 1, tenant: 'a', bytes: maxBytes })).toEqual([]);
    expect(line.makesRoom({ rank: 1, tenant: 'a', bytes: maxBytes + 1 })).toBeUndefined();
  });

  const displaced = (line: WaitingLine<Named>, waiter: Waiter): readonly number[] | undefined =>
    line.makesRoom(waiter)?.map(({ name }) => name);

  it('displaces the last waiter of the lowest rank, but none of the same rank', () => {
    const line = new WaitingLine<Named>({ size: 3, bytes: maxBytes });
    const add = (rank: Rank, name: number): void => line.add({ rank, tenant: '', bytes: 1, name });
    add(1, 1);
    add(0, 2);
    add(0, 3);
    expect(displaced(line, { rank: 2, tenant: '', bytes: 1 })).toEqual([3]);
    expect(displaced(line, { rank: 1, tenant: '', bytes: 1 })).toEqual([3]);
    expect(displaced(line, { rank: 0, tenant: '', bytes: 1 })).toBeUndefined();
  });

  it('displaces as many waiters as a large body needs, and none if all of them are too few', () => {
    const line = new WaitingLine<Named>({ size, bytes: maxBytes });
    for (const [at, tenant] of ['a', 'a', 'b', 'c'].entries()) line.add({ rank: 0, tenant, bytes: 100, name: at });
    line.add({ rank: 1, tenant: 'a', bytes: 100, name: 9 });
    expect(displaced(line, { rank: 1, tenant: 'd', bytes: 300 })).toEqual([1, 0, 2]);
    expect(displaced(line, { rank: 2, tenant: 'd', bytes: 500 })).toEqual([1, 0, 2, 3, 9]);
    expect(displaced(line, { rank: 1, tenant: 'd', bytes: 401 })).toBeUndefined();
    expect(line.length).toBe(5);
  });
});
