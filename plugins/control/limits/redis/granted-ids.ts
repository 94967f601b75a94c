/** What a process knows of its reservations: the epoch in which Redis granted one, or that nobody knows whether it did. */
export interface GrantedIds {
  granted(id: string, epoch: string): void;
  unknown(id: string): void;
  /** The epoch, or nothing if that is not known; undefined if there is nothing to settle. Each id is taken once. */
  take(id: string): string | undefined;
}

/** Of each kind: far more than a process has in flight, for what is never settled or released, as what a policy refuses. */
const most = 200_000;

export const grantedIds = (): GrantedIds => {
  const granted = new Map<string, string>();
  const unknown = new Map<string, string>();

  const set = (epochs: Map<string, string>, [id, epoch]: readonly [string, string]): void => {
    epochs.set(id, epoch);
    if (epochs.size <= most) return;
    const [oldest] = epochs.keys();
    if (oldest !== undefined) epochs.delete(oldest);
  };

  return {
    granted: (id, epoch) => set(granted, [id, epoch]),
    unknown: (id) => set(unknown, [id, '']),
    take(id) {
      const epoch = granted.get(id) ?? unknown.get(id);
      granted.delete(id);
      unknown.delete(id);
      return epoch;
    },
  };
};
