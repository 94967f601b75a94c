/** Random choices from a seed, so that a corpus is the same in every run. */
export interface Random {
  /** Returns an integer from 0 to `below`, exclusive. */
  integer(below: number): number;
  pick<Item>(items: readonly Item[]): Item;
  digits(count: number): string;
  /** Returns characters of an alphabet. */
  text(alphabet: string, count: number): string;
}

/** The generator `mulberry32`. */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  const text = (alphabet: string, count: number): string =>
    Array.from({ length: count }, () => alphabet.charAt(integer(alphabet.length))).join('');
  return {
    integer,
    pick(items) {
      const item = items[integer(items.length)];
      if (item === undefined) throw new RangeError('There is nothing to pick from.');
      return item;
    },
    digits: (count) => text('0123456789', count),
    text,
  };
};

export const lower = 'abcdefghijklmnopqrstuvwxyz';
export const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const hex = '0123456789abcdef';
export const alphanumeric: string = `${upper}${lower}0123456789`;
