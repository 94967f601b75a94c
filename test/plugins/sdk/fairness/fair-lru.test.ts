import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairLru } from '../../../../plugins/sdk/fairness/fair-lru.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const maxBytes = 100;
const maxEntryBytes = 30;
const maxEntries = 20;

interface Stored {
  readonly tenant: string;
  readonly id: string;
  readonly bytes: number;
}

const tenants = ['a', 'b', 'c', 'd'];

const step = fc.record({
  kind: fc.constantFrom('set' as const, 'set' as const, 'set' as const, 'get' as const, 'delete' as const),
  tenant: fc.constantFrom(...tenants),
  name: fc.nat(9),
  bytes: fc.integer({ min: 1, max: 40 }),
});

const sum = (list: readonly Stored[]): number => list.reduce((total, { bytes }) => total + bytes, 0);

const open = (removed: (value: Stored) => void = () => {}): FairLru<Stored> =>
  new FairLru({ maxBytes, maxEntryBytes, maxEntries, sizeOf: ({ bytes }) => bytes, removed });

/** The values beside a list of what must be stored, least recently used first. */
class Watched {
  #list: readonly Stored[] = [];
  #gone: Stored[] = [];
  readonly #lru = open((value) => this.#gone.push(value));

  get({ id }: Stored): void {
    const found = this.#list.find((each) => each.id === id);
    expect(this.#lru.get(id)).toBe(found);
    if (found !== undefined) this.#list = [...this.#without(id), found];
  }

  delete({ id }: Stored): void {
    this.#gone = [];
    this.#lru.delete(id);
    expect(this.#gone).toEqual(this.#list.filter((each) => each.id === id));
    this.#list = this.#without(id);
  }

  set(added: Stored): void {
    const others = this.#without(added.id);
    const wanted = added.bytes > maxEntryBytes ? others : [...others, added];
    this.#gone = [];
    const isStored = this.#lru.set(added.tenant, added.id, added);
    const lost = this.#gone.filter((each) => wanted.includes(each));
    this.#list = wanted.filter((each) => !lost.includes(each));
    expect(isStored).toBe(this.#list.includes(added));
    expectFair(wanted, lost);
  }

  end(): void {
    expect(sum(this.#list)).toBeLessThanOrEqual(maxBytes);
    expect(this.#list.length).toBeLessThanOrEqual(maxEntries);
    for (const each of this.#list) expect(this.#lru.get(each.id)).toBe(each);
    this.#gone = [];
    this.#lru.clear();
    expect(new Set(this.#gone)).toEqual(new Set(this.#list));
  }

  #without(id: string): readonly Stored[] {
    return this.#list.filter((each) => each.id !== id);
  }
}

/** Each tenant loses its least recently used values, and none if there is room or if it has at most an equal share. */
const expectFair = (wanted: readonly Stored[], lost: readonly Stored[]): void => {
  const isFull = wanted.length > maxEntries;
  const share = maxBytes / new Set(wanted.map(({ tenant }) => tenant)).size;
  if (sum(wanted) <= maxBytes && !isFull) expect(lost).toEqual([]);
  for (const tenant of tenants) {
    const own = wanted.filter((each) => each.tenant === tenant);
    const lostOfOwn = lost.filter((each) => each.tenant === tenant);
    expect(lostOfOwn).toEqual(own.slice(0, lostOfOwn.length));
    if (sum(own) <= share && !isFull) expect(lostOfOwn).toEqual([]);
  }
};

describe('values that tenants share room for', () => {
  it('stay within the limits, and nobody loses one to others while it has at most an equal share', () => {
    const law = fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const watched = new Watched();
      for (const { kind, tenant, name, bytes } of steps) watched[kind]({ tenant, id: `${tenant}${name}`, bytes });
      watched.end();
    });
    fc.assert(law, lawRuns);
  });

  it('fill all of the room if there is only one tenant', () => {
    const lru = open();
    for (let at = 0; at < 10; at += 1) lru.set('a', `${at}`, { tenant: 'a', id: `${at}`, bytes: 10 });
    expect(Array.from({ length: 10 }, (_, at) => lru.get(`${at}`)?.bytes)).toEqual(Array(10).fill(10));
  });

  it('are taken from the tenant that has most of them as others arrive', () => {
    const lru = open();
    const set = (tenant: string, at: number): void =>
      void lru.set(tenant, `${tenant}${at}`, { tenant, id: `${tenant}${at}`, bytes: 10 });
    for (let at = 0; at < 10; at += 1) set('a', at);
    for (let at = 0; at < 5; at += 1) set('b', at);
    const kept = (tenant: string, count: number) =>
      Array.from({ length: count }, (_, at) => at).filter((at) => lru.get(`${tenant}${at}`) !== undefined);
    expect(kept('a', 10)).toEqual([5, 6, 7, 8, 9]);
    expect(kept('b', 5)).toEqual([0, 1, 2, 3, 4]);
  });

  it('are taken from all tenants in turn if all of them store many', () => {
    const lru = open();
    const ids = Array.from({ length: 200 }, (_, at) => ({ tenant: tenants[at % tenants.length] ?? '', id: `${at}` }));
    for (const { tenant, id } of ids) lru.set(tenant, id, { tenant, id, bytes: 10 });
    const kept = ids.filter(({ id }) => lru.get(id) !== undefined);
    const counts = tenants.map((tenant) => kept.filter((each) => each.tenant === tenant).length);
    expect(counts.toSorted((left, right) => left - right)).toEqual([2, 2, 3, 3]);
  });

  it('are not taken from the same tenant once it has less than others', () => {
    const lru = open();
    const set = (tenant: string, name: number, bytes: number): void =>
      void lru.set(tenant, `${tenant}${name}`, { tenant, id: `${tenant}${name}`, bytes });
    set('a', 0, 14);
    set('a', 1, 20);
    for (const tenant of ['b', 'c']) set(tenant, 0, 30);
    // Tenant a has the most, and then less than an equal share.
    set('d', 0, 12);
    set('d', 1, 12);
    expect(['a0', 'a1', 'b0', 'c0', 'd0', 'd1'].filter((id) => lru.get(id) === undefined)).toEqual(['a0', 'b0']);
  });
});
