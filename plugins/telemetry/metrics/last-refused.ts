import type { RefusedKey } from '../../sdk/hooks/refused-key.ts';
import { toNetwork } from '../../sdk/logs/to-network.ts';

const maxAddresses = 32;
const maxKeyIds = 4;

/** The value of a label that says nothing. */
const unknown = 'unknown';

/** How often keys were refused, by the addresses of the last refusals. */
export interface LastRefused {
  note(refused: RefusedKey): void;
  /** The address and the key id of each, and how often. */
  read(): readonly { readonly values: readonly string[]; readonly value: number }[];
}

/** Puts what was just used behind all others, and takes the first away where there is no room. */
const touch = <Value>(map: Map<string, Value>, key: string, value: Value, max: number): void => {
  map.delete(key);
  const [oldest] = map.keys();
  if (map.size >= max && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
};

/** Bounded in addresses, and in key ids for each of them, so that one address takes the place of no other. */
export const lastRefused = (): LastRefused => {
  const byAddress = new Map<string, Map<string, number>>();
  return {
    note({ address, keyId = unknown }) {
      const from = address === undefined ? unknown : toNetwork(address);
      const counts = byAddress.get(from) ?? new Map<string, number>();
      touch(byAddress, from, counts, maxAddresses);
      touch(counts, keyId, (counts.get(keyId) ?? 0) + 1, maxKeyIds);
    },
    read: () =>
      [...byAddress].flatMap(([address, counts]) =>
        [...counts].map(([keyId, value]) => ({ values: [address, keyId], value })),
      ),
  };
};
