import { gatewayError } from '../../../../schema/errors/errors.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { FairShares } from '../../../sdk/fairness/fair-shares.ts';
import type { Cancellation } from '../../../sdk/http/http.ts';
import type { RunningGateway } from '../../../sdk/plugin/plugin.ts';
import { createCancellation } from '../../../sdk/time/cancellation.ts';
import { settledWithin } from '../store/settled-within.ts';
import type { Store, Writing } from '../store/store.ts';
import { allot } from './allot.ts';
import type { JobKind, JobOutcome, JobQueue, JobQueueBounds } from './job-queue.ts';
import {
  concludeLease,
  countWaiting,
  dueKinds,
  dueTenants,
  type Holding,
  hurryJob,
  insertJob,
  type Lease,
  renewLeases,
  takeLeases,
  type WantedJobs,
} from './job-store.ts';
import { commitUnder } from './lease-commit.ts';

export interface JobQueueOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Takes what the operator is told. */
  readonly say: (text: string) => void;
  /** For how long a process that does not answer keeps a job, in milliseconds. */
  readonly leaseMs?: number;
  /** How often the store is asked for jobs, in milliseconds. */
  readonly pollMs?: number;
}

interface Running extends Holding {
  readonly cancel: () => void;
  readonly ended: Promise<void>;
}

/** As long as jobs that are cancelled are waited for, in milliseconds. */
const longestEnd = 5000;
const longestPause = 300_000;

/** How long a job rests that has failed so many times in a row, in milliseconds. */
const pauseAfter = (failures: number): number => Math.min(longestPause, 1000 * 2 ** Math.min(failures, 10));

const refuseFull = async (
  writing: Writing,
  { kind, tenant, maxQueued, what }: JobQueueBounds & Pick<Lease, 'kind' | 'tenant'>,
): Promise<void> => {
  const waiting = await countWaiting(writing, { kind, tenant, max: maxQueued });
  if (waiting >= maxQueued) throw gatewayError('queue-full', { what, max: maxQueued });
};

/** A queue of jobs in a store. The clocks of its processes must agree by less than `leaseMs`. */
export const createJobQueue = (options: JobQueueOptions): JobQueue => {
  const { store, clock, say, leaseMs = 15_000, pollMs = 500 } = options;
  const kinds = new Map<string, { readonly kind: JobKind; readonly shares: FairShares }>();
  const running = new Set<Running>();
  let gateway: RunningGateway | undefined;
  let isClosed = false;
  let looking: 'no' | 'yes' | 'and again' = 'no';
  let stopPolling = (): void => {};
  let stopRenewing = (): void => {};
  let stopWatching = (): void => {};

  /** What each tenant's jobs of a kind hold of what this process does of it. */
  const findShares = ({ kind }: Pick<Lease, 'kind'>): FairShares | undefined => kinds.get(kind)?.shares;

  /** The kinds of which this process can do more. */
  const freeKinds = (): readonly string[] =>
    [...kinds].filter(([, { shares }]) => shares.taken < shares.size).map(([name]) => name);

  const conclude = (lease: Lease, outcome: JobOutcome, failures = 0): Promise<void> =>
    store.write((writing) => concludeLease(writing, lease, { outcome, failures }));

  const failed = async (lease: Lease, error: unknown): Promise<void> => {
    const pause = isClosed ? 0 : pauseAfter(lease.failures);
    const failures = isClosed ? lease.failures : lease.failures + 1;
    if (!isClosed)
      say(`gw: The job ${lease.kind} ${lease.id} failed, and runs again in ${pause / 1000} s: ${errorText(error)}\n`);
    await conclude(lease, { kind: 'again', runAt: clock.wall() + pause }, failures);
  };

  const run = async (
    lease: Lease,
    {
      kind,
      from,
      cancellation,
    }: { readonly kind: JobKind; readonly from: RunningGateway; readonly cancellation: Cancellation },
  ): Promise<void> => {
    const { commit, isConcluded } = commitUnder(store, lease);
    const { id, tenant, payload } = lease;
    try {
      const outcome = await kind.run({ id, tenant, payload, cancellation, gateway: from, commit });
      if (!isConcluded()) await conclude(lease, outcome);
    } catch (error) {
      // What cannot be written now runs again when the lease has ended.
      await failed(lease, error).catch(() => {});
    }
  };

  const begin = (lease: Lease, from: RunningGateway): void => {
    const kind = kinds.get(lease.kind)?.kind;
    if (kind === undefined) return;
    const { cancellation, cancel } = createCancellation();
    const ended = run(lease, { kind, from, cancellation }).then(() => {
      running.delete(each);
      findShares(lease)?.give(lease.tenant);
      wake();
    });
    const each: Running = { lease, cancel, ended, heldUntil: clock.monotonic() + leaseMs };
    running.add(each);
  };

  /** Takes places for jobs that are due, of each tenant in its turn. */
  const reserve = async (names: readonly string[]): Promise<readonly WantedJobs[]> => {
    const wanted: WantedJobs[] = [];
    for (const kind of await dueKinds(store.db, names, clock.wall())) {
      const shares = findShares({ kind });
      if (shares === undefined) continue;
      const due = await dueTenants(store.db, { kind, now: clock.wall(), max: shares.share });
      for (const [tenant, max] of allot(shares, due)) wanted.push({ kind, tenant, max });
    }
    return wanted;
  };

  const look = async (from: RunningGateway): Promise<void> => {
    const free = freeKinds();
    const wanted = free.length === 0 || isClosed ? [] : await reserve(free);
    if (wanted.length === 0) return;
    let leases: readonly Lease[] = [];
    try {
      if (!isClosed)
        leases = await store.write((writing) => {
          const now = clock.wall();
          return takeLeases(writing, wanted, { now, until: now + leaseMs });
        });
    } finally {
      // What another process was quicker to take has no place here.
      for (const each of wanted) findShares(each)?.give(each.tenant, each.max);
      for (const { kind, tenant } of leases) findShares({ kind })?.take(tenant);
    }
    for (const lease of leases) begin(lease, from);
  };

  const lookOn = async (from: RunningGateway): Promise<void> => {
    do {
      looking = 'yes';
      await look(from).catch(() => {});
    } while ((looking as string) === 'and again' && !isClosed);
    looking = 'no';
  };

  const wake = (): void => {
    if (gateway === undefined || isClosed) return;
    if (looking === 'no') void lookOn(gateway);
    else looking = 'and again';
  };

  const poll = (): void => {
    wake();
    if (!isClosed) stopPolling = clock.after(pollMs, poll);
  };

  const renew = async (): Promise<void> => {
    const all = [...running];
    const asked = { wall: clock.wall(), monotonic: clock.monotonic() };
    const held = await store
      .write((writing) =>
        renewLeases(
          writing,
          all.map(({ lease }) => lease),
          asked.wall + leaseMs,
        ),
      )
      .catch(() => undefined);
    for (const each of all) {
      if (held?.has(each.lease)) each.heldUntil = asked.monotonic + leaseMs;
      else if (held !== undefined || clock.monotonic() > each.heldUntil) each.cancel();
    }
  };

  const renewOn = (): void => {
    stopRenewing = clock.after(leaseMs / 3, async () => {
      if (running.size > 0) await renew();
      if (!isClosed) renewOn();
    });
  };

  return {
    async add(writing, { kind, id, tenant, payload, runAt = clock.wall() }) {
      const queue = kinds.get(kind)?.kind.queue;
      if (queue !== undefined) await refuseFull(writing, { kind, tenant, ...queue });
      await insertJob(writing, { kind, id, tenant, payload, runAt, now: clock.wall() });
      await store.bump(writing, 'jobs');
    },
    async hurry(writing, { kind, id }) {
      await hurryJob(writing, { kind, id, now: clock.wall() });
      await store.bump(writing, 'jobs');
    },
    register: (kind) => void kinds.set(kind.name, { kind, shares: new FairShares(kind.concurrency) }),
    wake,
    start(from) {
      gateway = from;
      stopWatching = store.watch(wake);
      renewOn();
      poll();
    },
    async close() {
      isClosed = true;
      for (const stop of [stopPolling, stopRenewing, stopWatching]) stop();
      for (const { cancel } of running) cancel();
      await settledWithin(
        [...running].map(({ ended }) => ended),
        longestEnd,
      );
    },
  };
};
