import type { Store } from '../store/store.ts';
import type { RunningJob } from './job-queue.ts';
import { concludeLease, isHeld, type Lease } from './job-store.ts';

class FencedError extends Error {}

/** Writes under a lease. */
export interface LeaseCommit {
  readonly commit: RunningJob['commit'];
  /** Whether nothing more is to be said of the job: it was ended by a commit, or is another process's. */
  isConcluded(): boolean;
}

/** What is written while a lease is held: nothing, once another process has taken the job. */
export const commitUnder = (store: Store, lease: Lease): LeaseCommit => {
  let isConcluded = false;
  return {
    isConcluded: () => isConcluded,
    async commit(run, outcome) {
      try {
        await store.write(async (writing) => {
          if (!(await isHeld(writing, lease))) throw new FencedError();
          await run(writing);
          if (outcome !== undefined) await concludeLease(writing, lease, { outcome, failures: 0 });
        });
        if (outcome !== undefined) isConcluded = true;
        return 'committed';
      } catch (error) {
        if (!(error instanceof FencedError)) throw error;
        isConcluded = true;
        return 'fenced';
      }
    },
  };
};
