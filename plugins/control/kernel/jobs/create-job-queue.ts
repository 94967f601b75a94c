import { gatewayError } from '../../../../schema/errors/errors.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { FairShares } from '../../../sdk/fairness/fair-shares.ts';
import type { RunningGateway } from '../../../sdk/plugin/plugin.ts';
import { createCancellation } from '../../../sdk/time/cancellation.ts';
import { repeat } from '../store/prune-hourly.ts';
import { settledWithin } from '../store/settled-within.ts';
import type { Store } from '../store/store.ts';
import type { JobKind, JobOutcome, JobQueue, RunningJob } from './job-queue.ts';
import {
  allot,
  concludeLease,
  countWaiting,
  dueKinds,
  dueTenants,
  hurryJob,
  insertJob,
  isHeld,
  type Lease,
  renewLeases,
  takeLeases,
  type WantedJobs,
} from './job-store.ts';

export interface JobQueueOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
  /** For how long a process that does not answer keeps a job, in milliseconds. */
  readonly leaseMs?: number;
  /** How often the store is asked for jobs, in milliseconds. */
  readonly pollMs?: number;
}

interface Running {
  readonly lease: Lease;
  /** Until when it is held if the store says nothing else, in milliseconds of a clock that never goes back. */
  heldUntil: number;
  readonly cancel: () => void;
  readonly ended: Promise<void>;
}

/** As long as jobs that are cancelled are waited for, in milliseconds. */
const longestEnd = 5000;
const longestPause = 300_000;

/** Says how long a job rests that has failed so many times in a row, in milliseconds. */
const pauseAfter = (failures: number): number => Math.min(longestPause, 1000 * 2 ** Math.min(failures, 10));

/** Makes a queue of jobs in a store. The clocks of its processes must agree by less than `leaseMs`. */
export const createJobQueue = (options: JobQueueOptions): JobQueue => {
  const { store, clock, say, leaseMs = 15_000, pollMs = 500 } = options;
  /** The kinds by their names, and what each tenant's jobs of a kind hold of what this process does of it. */
  const kinds = new Map<string, { readonly kind: JobKind; readonly shares: FairShares }>();
  const running = new Set<Running>();
  let gateway: RunningGateway | undefined;
  let isClosed = false;
  let isLooking = false;
  let isWoken = false;
  let stops: readonly (() => unknown)[] = [];

  const failed = async (lease: Lease, error: unknown): Promise<void> => {
    const pause = isClosed ? 0 : pauseAfter(lease.failures);
    const failures = isClosed ? lease.failures : lease.failures + 1;
    if (!isClosed)
      say(`gw: The job ${lease.kind} ${lease.id} failed, and runs again in ${pause / 1000} s: ${errorText(error)}\n`);
    const outcome: JobOutcome = { kind: 'again', runAt: clock.wall() + pause };
    await store.write((writing) => concludeLease(writing, lease, { outcome, failures }));
  };

  const run = async (
    lease: Lease,
    { kind, ...given }: Pick<RunningJob, 'cancellation' | 'gateway'> & { readonly kind: JobKind },
  ): Promise<void> => {
    const { id, tenant, payload } = lease;
    /** Whether nothing more is to be said of the job: it was ended by a commit, or is another process's. */
    let isConcluded = false;
    const commit: RunningJob['commit'] = async (write, outcome) => {
      const held = await store.write(async (writing) => {
        if (!(await isHeld(writing, lease))) return false;
        await write(writing);
        if (outcome !== undefined) await concludeLease(writing, lease, { outcome, failures: 0 });
        return true;
      });
      if (outcome !== undefined || !held) isConcluded = true;
      return held ? 'committed' : 'fenced';
    };
    try {
      const outcome = await kind.run({ id, tenant, payload, commit, ...given });
      if (!isConcluded) await store.write((writing) => concludeLease(writing, lease, { outcome, failures: 0 }));
    } catch (error) {
      // What cannot be written now runs again when the lease has ended.
      await failed(lease, error).catch(() => {});
    }
  };

  const begin = (lease: Lease): void => {
    const known = kinds.get(lease.kind);
    if (known === undefined || gateway === undefined) return;
    const { cancellation, cancel } = createCancellation();
    const ended = run(lease, { kind: known.kind, gateway, cancellation }).then(() => {
      running.delete(each);
      known.shares.give(lease.tenant);
      wake();
    });
    const each: Running = { lease, cancel, ended, heldUntil: clock.monotonic() + leaseMs };
    running.add(each);
  };

  /** Takes places for jobs that are due, of each tenant in its turn. */
  const reserve = async (): Promise<readonly WantedJobs[]> => {
    const free = [...kinds].filter(([, { shares }]) => shares.taken < shares.size).map(([name]) => name);
    const wanted: WantedJobs[] = [];
    if (free.length === 0 || isClosed) return wanted;
    for (const kind of await dueKinds(store.db, free, clock.wall())) {
      const shares = kinds.get(kind)?.shares;
      if (shares === undefined) continue;
      const due = await dueTenants(store.db, { kind, now: clock.wall(), max: shares.share });
      for (const [tenant, max] of allot(shares, due)) wanted.push({ kind, tenant, max });
    }
    return wanted;
  };

  const look = async (): Promise<void> => {
    const wanted = await reserve();
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
      for (const { kind, tenant, max } of wanted) kinds.get(kind)?.shares.give(tenant, max);
      for (const { kind, tenant } of leases) kinds.get(kind)?.shares.take(tenant);
    }
    leases.forEach(begin);
  };

  /** Looks for jobs, and again where it was woken meanwhile. What the store does not answer now is asked again later. */
  const lookOn = async (): Promise<void> => {
    isLooking = true;
    while (isWoken && !isClosed) {
      isWoken = false;
      await look().catch(() => {});
    }
    isLooking = false;
  };

  const wake = (): void => {
    isWoken = true;
    if (gateway !== undefined && !isLooking) void lookOn();
  };

  const renew = async (): Promise<void> => {
    const all = [...running];
    const leases = all.map(({ lease }) => lease);
    const asked = { wall: clock.wall(), monotonic: clock.monotonic() };
    const held =
      leases.length === 0
        ? undefined
        : await store.write((writing) => renewLeases(writing, leases, asked.wall + leaseMs)).catch(() => undefined);
    for (const each of all) {
      if (held?.has(each.lease)) each.heldUntil = asked.monotonic + leaseMs;
      else if (held !== undefined || clock.monotonic() > each.heldUntil) each.cancel();
    }
  };

  return {
    async add(writing, { kind, id, tenant, payload, runAt = clock.wall() }) {
      const queue = kinds.get(kind)?.kind.queue;
      const max = queue?.maxQueued ?? Number.POSITIVE_INFINITY;
      if (queue !== undefined && (await countWaiting(writing, { kind, tenant, max })) >= max)
        throw gatewayError('queue-full', { what: queue.what, max });
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
      const polling = repeat(clock, pollMs, async () => wake());
      stops = [store.watch(wake), polling.close, repeat(clock, leaseMs / 3, renew).close];
      wake();
    },
    async close() {
      isClosed = true;
      for (const stop of stops) void stop();
      for (const { cancel } of running) cancel();
      await settledWithin(
        [...running].map(({ ended }) => ended),
        longestEnd,
      );
    },
  };
};
