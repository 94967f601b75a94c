import type { CounterSum, Limits } from '../../../../../../plugins/control/metering/counters/limits.ts';
import {
  type OwnedCountersAsker,
  type OwnedLimitsOptions,
  openOwnedLimits,
} from '../../../../../../plugins/control/metering/counters/open-owned-limits.ts';
import { OwnedCounters } from '../../../../../../plugins/control/metering/counters/owned-counters.ts';
import { systemClock } from '../../../../../../runtime/in-memory/system-clock.ts';
import { type JumpingClock, jumpingClock } from '../../../support/jumping-clock.ts';
import { type LimitsWorld, type Note, worldStart } from './limits-world.ts';
import { type OnceLedger, onceLedger } from './once-ledger.ts';
import { readNote, writeNote } from './redis-world.ts';

export interface OwnedWorld extends LimitsWorld {
  readonly clock: JumpingClock;
  readonly kept: OnceLedger<Note>;
  /** Opens another worker. */
  open(changes?: Partial<OwnedLimitsOptions<Note>>): OpenedWorker;
}

export interface OpenedWorker {
  readonly limits: Limits<Note>;
  readonly counters: OwnedCountersAsker;
  /** Kills the worker. What it has not sent is lost. */
  kill(): void;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Creates counters of a process that owns workers, which query it as over a channel: in order and a turn later. */
export const ownedWorld = async (): Promise<OwnedWorld> => {
  const clock = jumpingClock(worldStart);
  const kept = onceLedger<Note>();
  const own = (sums: readonly CounterSum[]): OwnedCounters<Note> => {
    const counters = new OwnedCounters<Note>({
      ...{ clock, readEntry: readNote, say: () => {} },
      postings: { take: (posting) => kept.post([posting]) },
    });
    counters.load(sums);
    return counters;
  };
  let owner = own([]);
  let lastWorker = 0;
  const open: OwnedWorld['open'] = (changes = {}) => {
    lastWorker += 1;
    const worker = lastWorker;
    let isKilled = false;
    const counters: OwnedCountersAsker = {
      posted: async () => {},
      run: async (question, args) => {
        const sent = structuredClone(args);
        await turn();
        if (isKilled) throw new Error('The other process has ended.');
        return structuredClone(await owner.answer(worker, question, sent));
      },
    };
    return {
      // Its batches are sent by real time.
      limits: openOwnedLimits({
        ...{ counters, clock: { ...clock, after: systemClock.after }, say: () => {}, writeEntry: writeNote },
        ...changes,
      }),
      counters,
      kill: () => {
        isKilled = true;
        owner.leave(worker);
      },
    };
  };
  let worker = open();
  let restarts = 0;
  return {
    clock,
    kept,
    open,
    get limits() {
      return worker.limits;
    },
    now: () => clock.wall(),
    async pass(ms) {
      clock.advance(ms);
      await turn();
    },
    async jump(ms) {
      clock.setWall(clock.wall() + ms);
    },
    async ledger() {
      await worker.limits.read([]);
      return kept.kept;
    },
    async restart(sums) {
      await worker.limits.read([]);
      restarts += 1;
      worker.kill();
      if (restarts % 2 === 0) {
        await owner.close();
        owner = own(sums);
      }
      worker = open();
    },
    expiresAtRestart: true,
    [Symbol.asyncDispose]: () => owner.close(),
  };
};
