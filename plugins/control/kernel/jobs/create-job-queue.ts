import { gatewayError } from '../../../../schema/errors/errors.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { FairShares } from '../../../sdk/fairness/fair-shares.ts';
import type { RunningGateway } from '../../../sdk/plugin/plugin.ts';
import { createCancellation } from '../../../sdk/time/cancellation.ts';
import type { Store, Writing } from '../store/store.ts';
import { waitAtMost } from '../store/wait-at-most.ts';
import type { JobKind, JobQueue, NewJob, RunningJob } from './job-queue.ts';
import {
  allot,
  concludeLease,
  countWaiting,
  dueKinds,
  dueTenants,
  insertJob,
  isHeld,
  type Lease,
  makeJobDue,
  makeWaitingDue,
  renewLeases,
  takeLeases,
  type WantedJobs,
} from './job-store.ts';
import { repeat } from './prune-hourly.ts';

export interface JobQueueOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
  /** How long a process that does not respond keeps a job, in milliseconds. */
  readonly leaseMs?: number;
  /** How often the store is queried for jobs, in milliseconds. */
  readonly pollMs?: number;
}

interface Running {
  readonly lease: Lease;
  /** Until when it is held unless the store reports otherwise, in milliseconds of a monotonic clock. */
  heldUntil: number;
  /** From when on the store lets processes take it, in milliseconds since the epoch. */
  dueAt: number;
  readonly cancel: () => void;
  readonly ended: Promise<void>;
}

/** The maximum time to wait for cancelled jobs to end, in milliseconds. */
const longestEnd = 5000;

/** A clock that is set back by less only delays jobs by that much. */
const smallestStepMs = 1000;

/** Returns how long a job rests after this many failures in a row, in milliseconds. */
const pauseAfter = (failures: number): number => Math.min(300_000, 1000 * 2 ** Math.min(failures, 10));

/** A queue of jobs in a store. The clocks of its processes must agree by less than `leaseMs`. */
export class StoredJobQueue implements JobQueue {
  readonly #options: Required<JobQueueOptions>;
  /** The kinds by name, and the places that each tenant's jobs hold of the concurrency of a kind in this process. */
  readonly #kinds = new Map<string, { readonly kind: JobKind; readonly shares: FairShares }>();
  readonly #running = new Set<Running>();
  #gateway: RunningGateway | undefined;
  #isClosed = false;
  #isLooking = false;
  #isWoken = false;
  /** Whether jobs may be due at a time that the clock will not reach soon, because it was set back. True at the start. */
  #isSetBack = true;
  /** The time of day minus the monotonic clock, when they were last compared. */
  #offset = Number.NEGATIVE_INFINITY;
  #stops: readonly (() => unknown)[] = [];

  constructor(options: JobQueueOptions) {
    this.#options = { leaseMs: 15_000, pollMs: 500, ...options };
  }

  async add(writing: Writing, { kind, id, tenant, payload, runAt }: NewJob): Promise<void> {
    const now = this.#options.clock.wall();
    const queue = this.#kinds.get(kind)?.kind.queue;
    const max = queue?.maxQueued ?? Number.POSITIVE_INFINITY;
    if (queue !== undefined && (await countWaiting(writing, { kind, tenant, max })) >= max)
      throw gatewayError('queue-full', { what: queue.what, max });
    await insertJob(writing, { kind, id, tenant, payload, runAt: runAt ?? now, now });
    await this.#options.store.bump(writing, 'jobs');
  }

  async makeDue(writing: Writing, { kind, id }: Pick<NewJob, 'kind' | 'id'>): Promise<void> {
    await makeJobDue(writing, { kind, id, now: this.#options.clock.wall() });
    await this.#options.store.bump(writing, 'jobs');
  }

  register(kind: JobKind): void {
    this.#kinds.set(kind.name, { kind, shares: new FairShares(kind.concurrency) });
  }

  wake(): void {
    this.#isWoken = true;
    if (this.#gateway !== undefined && !this.#isLooking) void this.#look();
  }

  start(gateway: RunningGateway): void {
    const { store, clock, leaseMs, pollMs } = this.#options;
    this.#gateway = gateway;
    this.#stops = [
      repeat(clock, pollMs, async () => this.wake()).close,
      store.watch(() => this.wake()),
      repeat(clock, leaseMs / 3, () => this.#renew()).close,
    ];
    this.wake();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) void stop();
    for (const { cancel } of this.#running) cancel();
    await waitAtMost(
      [...this.#running].map(({ ended }) => ended),
      longestEnd,
    );
  }

  /** Checks for jobs, and again if it was woken in the meantime. If the store does not respond, the next check tries again. */
  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#isWoken && !this.#isClosed) {
      this.#isWoken = false;
      await this.#take().catch(() => {});
    }
    this.#isLooking = false;
  }

  /**
   * Keeps a clock that was changed from holding up waiting jobs, and from making jobs due that this process is running. A waiting
   * job may run too early because of this, which all kinds allow. Returns the time of day, at which no job is due that this process
   * is running.
   */
  async #followClock(): Promise<number> {
    const { store, clock } = this.#options;
    const now = clock.wall();
    const offset = now - clock.monotonic();
    if (offset < this.#offset - smallestStepMs) this.#isSetBack = true;
    this.#offset = offset;
    if ([...this.#running].some(({ dueAt }) => dueAt <= now)) await this.#renew();
    if (!this.#isSetBack) return now;
    await store.write((writing) => makeWaitingDue(writing, now));
    this.#isSetBack = false;
    return now;
  }

  async #take(): Promise<void> {
    const { store, clock, leaseMs } = this.#options;
    const now = await this.#followClock();
    const wanted = await this.#reserve(now);
    if (wanted.length === 0) return;
    let leases: readonly Lease[] = [];
    let until = 0;
    try {
      if (!this.#isClosed)
        leases = await store.write((writing) => {
          until = clock.wall() + leaseMs;
          return takeLeases(writing, wanted, { now, until });
        });
    } finally {
      // Jobs that another process took first hold no place here.
      for (const { kind, tenant, max } of wanted) this.#kinds.get(kind)?.shares.give(tenant, max);
      for (const { kind, tenant } of leases) this.#kinds.get(kind)?.shares.take(tenant);
    }
    for (const lease of leases) this.#begin(lease, until);
  }

  /** Takes places for jobs that are due at a time of day, one tenant after another. */
  async #reserve(now: number): Promise<readonly WantedJobs[]> {
    const { store } = this.#options;
    const free = [...this.#kinds].filter(([, { shares }]) => shares.taken < shares.size).map(([name]) => name);
    const wanted: WantedJobs[] = [];
    if (free.length === 0 || this.#isClosed) return wanted;
    for (const kind of await dueKinds(store.db, free, now)) {
      const shares = this.#kinds.get(kind)?.shares;
      if (shares === undefined) continue;
      const due = await dueTenants(store.db, { kind, now, max: shares.share });
      for (const [tenant, max] of allot(shares, due)) wanted.push({ kind, tenant, max });
    }
    return wanted;
  }

  #begin(lease: Lease, dueAt: number): void {
    const { kind, shares } = this.#kinds.get(lease.kind) ?? {};
    if (kind === undefined || this.#gateway === undefined) return;
    const { cancellation, cancel } = createCancellation();
    const ended = this.#run(lease, kind, { gateway: this.#gateway, cancellation }).then(() => {
      this.#running.delete(each);
      shares?.give(lease.tenant);
      this.wake();
    });
    const each = { lease, dueAt, cancel, ended, heldUntil: this.#options.clock.monotonic() + this.#options.leaseMs };
    this.#running.add(each);
  }

  async #run(lease: Lease, kind: JobKind, given: Pick<RunningJob, 'cancellation' | 'gateway'>): Promise<void> {
    const { store } = this.#options;
    const { id, tenant, payload } = lease;
    /** Whether the outcome of the job is settled: a commit ended it, or another process has taken it over. */
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
      // If this cannot be written now, the job runs again when the lease has ended.
      await this.#fail(lease, error).catch(() => {});
    }
  }

  async #fail(lease: Lease, error: unknown): Promise<void> {
    const { store, clock, say } = this.#options;
    const pause = this.#isClosed ? 0 : pauseAfter(lease.failures);
    if (!this.#isClosed)
      say(`gw: The job ${lease.kind} ${lease.id} failed, and runs again in ${pause / 1000} s: ${errorText(error)}\n`);
    await store.write((writing) =>
      concludeLease(writing, lease, {
        outcome: { kind: 'again', runAt: clock.wall() + pause },
        failures: this.#isClosed ? lease.failures : lease.failures + 1,
      }),
    );
  }

  async #renew(): Promise<void> {
    const { store, clock, leaseMs } = this.#options;
    const all = [...this.#running];
    const asked = { wall: clock.wall(), monotonic: clock.monotonic() };
    const held =
      all.length === 0
        ? undefined
        : await store
            .write((writing) =>
              renewLeases(
                writing,
                all.map(({ lease }) => lease),
                asked.wall + leaseMs,
              ),
            )
            .catch(() => undefined);
    for (const each of all) {
      if (held?.has(each.lease)) {
        each.heldUntil = asked.monotonic + leaseMs;
        each.dueAt = asked.wall + leaseMs;
      } else if (held !== undefined || clock.monotonic() > each.heldUntil) each.cancel();
    }
  }
}
