import type { RefusedKey } from '../../sdk/hooks/refused-key.ts';
import { toNetwork } from '../../sdk/logs/to-network.ts';

const maxAddresses = 32;
const maxKeyIds = 4;

/** The value of a label whose value is unknown. */
const unknown = 'unknown';

/** Counts how often keys were refused, for the addresses of the last refusals. */
export interface LastRefused {
  note(refused: RefusedKey): void;
  /** Returns the address and the key id of each, and how often it was refused. */
  read(): readonly { readonly values: readonly string[]; readonly value: number }[];
}

/** Moves an entry to the end of a map, and removes the first one if there is no room. */
const touch = <Value>(map: Map<string, Value>, key: string, value: Value, max: number): void => {
  map.delete(key);
  const [oldest] = map.keys();
  if (map.size >= max && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
};

/** Limits the number of addresses, and of key ids for each address, so that one address cannot displace others. */
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
