import type { RefusedKey } from '../hooks/refused-key.ts';
import { toNetwork } from './to-network.ts';

/** Refusals of keys from one address, or from all those that there was no room for, since the last time they were reported. */
export interface RefusedKeys {
  /** An IPv4 address, or the network of an IPv6 one; absent for addresses that there was no room for, or none at all. */
  readonly address?: string;
  readonly count: number;
  /** How often each key id was refused; without those that there was no room for, and keys without an id. */
  readonly keyIds: ReadonlyMap<string, number>;
  /** When the first and the last was refused, in milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
}

export interface RefusalDigestOptions {
  readonly clock: {
    after(ms: number, run: () => void): () => void;
  };
  readonly intervalMs: number;
  /** Addresses that are distinguished in an interval; the others are counted together. */
  readonly maxAddresses: number;
  /** How often in an interval a refusal is reported at once; all others are reported together at its end. */
  readonly maxAtOnce: number;
  /** Notified of one refusal at once, and of the others at the end of an interval; never empty. */
  readonly report: (refused: readonly RefusedKeys[]) => void;
}

/** Takes refusals of keys, and reports them so that guessing neither fills anything nor hides what others do. */
export interface RefusalDigest {
  note(refused: RefusedKey): void;
  /** Reports what was not reported yet. */
  close(): void;
}

/** Of one address: so many refusals are reported at once, and so many key ids distinguished. */
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

  /** Whether a key id, or none, is one that this address has not had before, as far as there is room. */
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
