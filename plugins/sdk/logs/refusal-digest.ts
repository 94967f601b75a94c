import type { RefusedKey } from '../hooks/refused-key.ts';
import { toNetwork } from './to-network.ts';

/** Refused keys from one address, or from all addresses for which there was no room, since they were last reported. */
export interface RefusedKeys {
  /** An IPv4 address, or the network of an IPv6 address. Absent if there was no room for the address, or no address. */
  readonly address?: string;
  readonly count: number;
  /** How often each key id was refused, without keys for which there was no room or that have no id. */
  readonly keyIds: ReadonlyMap<string, number>;
  /** The times of the first and the last refusal, in milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
}

export interface RefusalDigestOptions {
  readonly clock: {
    after(ms: number, run: () => void): () => void;
  };
  readonly intervalMs: number;
  /** The number of addresses that are distinguished in an interval. All others are counted together. */
  readonly maxAddresses: number;
  /** How many refusals are reported immediately in an interval. All others are reported together at its end. */
  readonly maxAtOnce: number;
  /** Called with single refusals immediately, and with the others at the end of an interval. Never called with an empty list. */
  readonly report: (refused: readonly RefusedKeys[]) => void;
}

/**
 * Collects refused keys and reports them such that guessing keys neither fills memory or logs nor hides the refusals of others.
 */
export interface RefusalDigest {
  note(refused: RefusedKey): void;
  /** Reports what has not been reported yet. */
  close(): void;
}

/** For each address: how many refusals are reported immediately, and how many key ids are distinguished. */
const maxAtOnceByAddress = 2;
const maxKeyIds = 8;

class Waiting {
  readonly address: string | undefined;
  readonly known = new Set<string | undefined>();
  readonly keyIds = new Map<string, number>();
  atOnce = 0;
  count = 0;
  since = 0;
  until = 0;

  constructor(address: string | undefined) {
    this.address = address;
  }

  /** Whether this address has not used a key id, or none, before, as far as there is room to remember. */
  isNew(keyId: string | undefined): boolean {
    if (this.known.has(keyId) || this.known.size > maxKeyIds) return false;
    this.known.add(keyId);
    return true;
  }

  add({ keyId, at }: RefusedKey): void {
    if (this.count === 0) this.since = at;
    this.count += 1;
    this.until = at;
    if (keyId !== undefined && (this.keyIds.has(keyId) || this.keyIds.size < maxKeyIds))
      this.keyIds.set(keyId, (this.keyIds.get(keyId) ?? 0) + 1);
  }

  toReport(): RefusedKeys {
    const { address, count, keyIds, since, until } = this;
    return { ...(address === undefined ? {} : { address }), count, keyIds, since, until };
  }
}

const single = (refused: RefusedKey, address: string | undefined): RefusedKeys => {
  const waiting = new Waiting(address);
  waiting.add(refused);
  return waiting.toReport();
};

export const createRefusalDigest = (options: RefusalDigestOptions): RefusalDigest => {
  const { clock, intervalMs, maxAddresses, maxAtOnce, report } = options;
  const byAddress = new Map<string | undefined, Waiting>();
  let others = new Waiting(undefined);
  let atOnce = 0;
  let cancel: (() => void) | undefined;

  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    const reports = [...byAddress.values(), others].filter(({ count }) => count > 0).map((each) => each.toReport());
    byAddress.clear();
    others = new Waiting(undefined);
    atOnce = 0;
    if (reports.length > 0) report(reports);
  };

  const waitingFor = (address: string | undefined): Waiting => {
    const known = byAddress.get(address);
    if (known !== undefined) return known;
    if (byAddress.size >= maxAddresses) return others;
    const made = new Waiting(address);
    byAddress.set(address, made);
    return made;
  };

  return {
    note(refused) {
      cancel ??= clock.after(intervalMs, flush);
      const address = refused.address === undefined ? undefined : toNetwork(refused.address);
      const waiting = waitingFor(address);
      const isNew = waiting !== others && waiting.isNew(refused.keyId);
      if (!isNew || waiting.atOnce >= maxAtOnceByAddress || atOnce >= maxAtOnce) {
        waiting.add(refused);
        return;
      }
      waiting.atOnce += 1;
      atOnce += 1;
      report([single(refused, address)]);
    },
    close: flush,
  };
};
