import type { CounterSum } from '../../../../../../plugins/control/metering/counters/limits.ts';
import { MemoryLimits } from '../../../../../../plugins/control/metering/counters/memory-limits.ts';
import { jumpingClock } from '../../../support/jumping-clock.ts';
import { type LimitsWorld, type Note, worldStart } from './limits-world.ts';
import { onceLedger } from './once-ledger.ts';

export interface MemoryWorld extends LimitsWorld {
  readonly limits: MemoryLimits<Note>;
}

/** Lets the promises of a batch in progress settle. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const memoryWorld = async (): Promise<MemoryWorld> => {
  const clock = jumpingClock(worldStart);
  const ledger = onceLedger<Note>();
  const open = (): MemoryLimits<Note> =>
    new MemoryLimits({
      clock,
      postings: { take: (posting) => ledger.post([posting]) },
    });
  let limits = open();
  return {
    get limits() {
      return limits;
    },
    now: () => clock.wall(),
    async pass(ms) {
      clock.advance(ms);
      await turn();
    },
    async jump(ms) {
      clock.setWall(clock.wall() + ms);
    },
    ledger: async () => ledger.kept,
    async restart(sums: readonly CounterSum[]) {
      await limits.close();
      limits = open();
      limits.load(sums);
    },
    expiresAtRestart: true,
    [Symbol.asyncDispose]: () => limits.close(),
  };
};
