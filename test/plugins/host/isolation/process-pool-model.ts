import { setImmediate } from 'node:timers/promises';
import { CallShares } from '../../../../plugins/host/isolation/call-shares.ts';
import { NotBegun } from '../../../../plugins/host/isolation/not-begun.ts';
import type { StartProcess } from '../../../../plugins/host/isolation/pooled-process.ts';
import { ProcessPool } from '../../../../plugins/host/isolation/process-pool.ts';
import type { ReadyProcess, ReadyVersion } from '../../../../plugins/host/isolation/start-version.ts';
import type { Clock } from '../../../../plugins/sdk/clock.ts';
import type { TenantId } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { Verdict } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { neverCancelled } from '../../../../plugins/sdk/time/cancellation.ts';
import type { ContentHash } from '../../../../schema/json/canonical.ts';

/** What a check does: it answers immediately, runs until its process is ended, or ends its process. */
export type Act = 'pass' | 'loop' | 'exit';

/** How long a process takes to start. */
const startMs = 200;
/** How long a process must be silent before that is noticed. */
const silentMs = 100;
/** How long a looping check runs before it is ended. */
export const loopMs = 5000;

/** A clock that moves only when it is advanced. */
export class ModelClock implements Clock {
  #now = 0;
  readonly #due = new Set<{ readonly at: number; readonly run: () => void }>();

  monotonic(): number {
    return this.#now;
  }

  /** The time of day runs backwards all the time, because no process may depend on it. */
  wall(): number {
    return -this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), run };
    this.#due.add(timer);
    return () => void this.#due.delete(timer);
  }

  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await setImmediate();
      const [next] = [...this.#due].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#due.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = until;
  }
}

interface ModelCall {
  readonly tenant: TenantId;
  readonly act: Act;
  readonly settled: PromiseWithResolvers<Verdict>;
}

/** A process that runs one check at a time, in the order in which they arrive. */
class ModelProcess implements ReadyProcess {
  readonly pid = 1;
  readonly #clock: ModelClock;
  readonly #events: Parameters<StartProcess>[0];
  readonly #ended: () => void;
  #waiting: ModelCall[] = [];
  #runs: ModelCall | undefined;
  #isOver = false;
  #isRetired = false;

  constructor(clock: ModelClock, events: Parameters<StartProcess>[0], ended: () => void) {
    this.#clock = clock;
    this.#events = events;
    this.#ended = ended;
  }

  get size(): number {
    return this.#waiting.length + (this.#runs === undefined ? 0 : 1);
  }

  run({ tenant, members: act }: Parameters<ReadyProcess['run']>[0]): Promise<Verdict> {
    if (this.#isOver) return Promise.reject(new Error('has ended'));
    const call = { tenant, act: act as Act, settled: Promise.withResolvers<Verdict>() };
    this.#waiting.push(call);
    this.#clock.after(1, () => this.#next());
    return call.settled.promise;
  }

  ask(): ReturnType<ReadyProcess['ask']> {
    return Promise.resolve(undefined);
  }

  release(matches: (tenant: TenantId) => boolean): void {
    const released = this.#waiting.filter(({ tenant }) => matches(tenant));
    this.#waiting = this.#waiting.filter(({ tenant }) => !matches(tenant));
    for (const { settled } of released) settled.reject(new NotBegun());
  }

  retire(): void {
    this.#isRetired = true;
    if (this.size === 0) this.kill();
  }

  kill(): void {
    this.#isRetired = true;
    this.#end();
  }

  #next(): void {
    const next = this.#runs === undefined ? this.#waiting.shift() : undefined;
    if (this.#isOver || next === undefined) return;
    if (next.act === 'pass') {
      next.settled.resolve({ pass: true, data: null });
      this.#next();
      return;
    }
    this.#runs = next;
    if (next.act === 'exit') this.#end();
    else {
      this.#clock.after(silentMs, () => this.#logOccupied(next));
      this.#clock.after(loopMs, () => this.#end());
    }
  }

  #logOccupied(call: ModelCall): void {
    if (this.#isOver) return;
    if (this.#waiting.some(({ tenant }) => tenant !== call.tenant)) this.#events.occupied(call.tenant);
    this.#clock.after(silentMs / 2, () => this.#logOccupied(call));
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended();
    const culprit = this.#runs;
    culprit?.settled.reject(new Error('was ended'));
    for (const { tenant, settled } of this.#waiting)
      settled.reject(culprit === undefined || tenant === culprit.tenant ? new Error('ended') : new NotBegun());
    this.#waiting = [];
    this.#runs = undefined;
    if (!this.#isRetired) this.#events.died('it ended', culprit && { check: 'check', tenant: culprit.tenant });
  }
}

export interface Model {
  readonly clock: ModelClock;
  readonly pool: ProcessPool;
  /** How many processes are running or starting, and the most there ever were. */
  readonly processes: { now: number; max: number };
  call(tenant: string, act: Act): Promise<Verdict>;
}

/** A ProcessPool of model processes, driven by a model clock. */
export const createModel = async (): Promise<Model> => {
  const clock = new ModelClock();
  const processes = { now: 0, max: 0 };
  const opening = ProcessPool.open({
    ...{ plugin: 'model', timers: clock, log: () => {}, shares: new CallShares() },
    ...{ incompatibility: () => undefined, ready: () => {} },
    start: (events) => {
      processes.now += 1;
      processes.max = Math.max(processes.max, processes.now);
      const { promise, resolve } = Promise.withResolvers<ReadyVersion>();
      const version = {
        process: new ModelProcess(clock, events, () => {
          processes.now -= 1;
        }),
        described: { name: 'model', beside: [], guardrails: [] },
        permissions: { hosts: [], environment: [], hooks: [] },
        integrity: 'sha256:model' as ContentHash,
      };
      clock.after(startMs, () => resolve(version));
      return promise;
    },
  });
  await clock.advance(startMs);
  const pool = await opening;
  if ('problems' in pool) throw new Error('The model did not start.');
  return {
    ...{ clock, pool, processes },
    call: (tenant, act) =>
      pool.run({
        check: 'check',
        withinMs: 10 * loopMs,
        http: { send: () => Promise.reject(new Error('There is no network.')) },
        tenant: tenant as TenantId,
        ...{ members: act, cancellation: neverCancelled, recordTargetRead: () => {} },
      }),
  };
};
