import { ById } from '../by-id.ts';

/** What a process knows of its reservations: the epoch in which Redis granted one, or that nobody knows whether it did. */
export interface GrantedIds {
  granted(id: string, epoch: string): void;
  unknown(id: string): void;
  /** The epoch, or nothing if that is not known; undefined if there is nothing to settle. Each id is taken once. */
  take(id: string): string | undefined;
}

interface KnownId {
  readonly id: string;
  epoch: string;
}

/**
 * So many, and those that came before them, up to as many again: far more than a process has in flight, for what is never
 * settled or released, as what a policy refuses.
 */
const most = 100_000;

export const grantedIds = (): GrantedIds => {
  let latest = new ById<KnownId>();
  let earlier = new ById<KnownId>();

  const find = (id: string): KnownId | undefined => latest.get(id) ?? earlier.get(id);

  const set = (id: string, epoch: string): void => {
    const known = find(id);
    if (known !== undefined) {
      known.epoch = epoch;
      return;
    }
    if (latest.size === most) {
      earlier = latest;
      latest = new ById();
    }
    latest.add({ id, epoch });
  };

  return {
    granted: set,
    unknown(id) {
      if (find(id) === undefined) set(id, '');
    },
    take: (id) => (latest.take(id) ?? earlier.take(id))?.epoch,
  };
};
