import { type Store, StoreError } from '../../../../../../plugins/control/kernel/store/store.ts';

/** The fate of a process at one of its writes: it ends before or after the write, or freezes for a while. */
export interface Fate {
  readonly kind: 'ends before' | 'ends after' | 'freezes';
  /** The number of the write, from 1. */
  readonly at: number;
}

const gone = (): Promise<never> => Promise.reject(new StoreError('This process has ended.'));

/** A store as seen by a process with such a fate. Its writes are counted after `meet` is called. */
export interface MortalStore extends Store {
  meet(): void;
}

export const mortalStore = (store: Store, { kind, at }: Fate, frozenMs: number): MortalStore => {
  let writes = Number.NEGATIVE_INFINITY;
  let isOver = false;
  let awake: Promise<void> = Promise.resolve();
  return {
    ...store,
    meet() {
      writes = 0;
    },
    async write(run) {
      if (isOver) return gone();
      writes += 1;
      if (writes === at) {
        isOver = kind === 'ends before' || kind === 'ends after';
        if (kind === 'ends before') return gone();
        if (kind === 'ends after') {
          await store.write(run);
          return gone();
        }
        if (kind === 'freezes') awake = new Promise((resolve) => void setTimeout(resolve, frozenMs));
      }
      await awake;
      return store.write(run);
    },
  };
};
